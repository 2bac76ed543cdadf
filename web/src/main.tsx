import '@preact/signals';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { startAnalysis, key as positionKey } from './app/analysis';
import { lastMove, path } from './app/document';
import { startEngine } from './app/engine';
import { Frame } from './app/frame';
import { startForbidden } from './app/gomoku';
import { keepWork, startStore, takeUpWork } from './app/keep';
import { startMatches } from './app/match';
import { startNaming } from './app/naming';
import { startPassing } from './app/passing';
import { follow, startRoute } from './app/route';
import { startReading } from './app/reading';
import { applySettings, settings } from './app/settings';
import { click } from './app/sound';
import { sayMove } from './screens/table';
import './style.css';

applySettings();
render(<Frame />, document.getElementById('app')!);

async function begin(): Promise<void> {
  // The token of a server is no link.
  const link = location.hash.startsWith('#/') ? location.hash : null;
  void startEngine();
  await startStore();
  // A link beats the work that was kept, which then goes to the library.
  const wanted = await takeUpWork(link);
  if (wanted) await follow(wanted);
  keepWork();
  startRoute();
  startAnalysis();
  startMatches();
  startNaming();
  startForbidden();
  startPassing();
  startReading();
  let last = `${positionKey.value}${path.value.length}`;
  effect(() => {
    const now = `${positionKey.value}${path.value.length}`;
    if (now === last) return;
    last = now;
    if (lastMove.value === null) return;
    sayMove();
    if (settings.value.sound) click();
  });
  document.documentElement.dataset.begun = '';
}
void begin();

if ('serviceWorker' in navigator && !location.search.includes('nosw')) {
  void import('./app/offline').then(({ register }) => register());
}
