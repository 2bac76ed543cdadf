// Keys that work anywhere on the page, and the words of the entry field.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n';
import * as analysis from './analysis';
import { announce, toast } from './announce';
import { editing, pasted } from './dialogs';
import * as doc from './document';
import { match } from './match';
import { clockText, left } from '../model/clock';
import { count } from '../model/othello';
import { moveName, parseMove, PASS } from '../model/rules';
import { inWords } from '../model/worth';
import { flipped, screen, show } from './route';
import { settings } from './settings';
import { play, sayMove, statusText } from '../screens/table';
import { tab } from '../screens/analyze';

export const entry = signal(false);

function bestWords(): string {
  const [line] = analysis.known.value?.lines ?? [];
  return line ? `${moveName(doc.position.value, line.move)}, ${inWords(line, doc.game.value)}` : t('say_aborted');
}

function rowWords(n: number): string {
  const at = doc.position.value;
  const size = at.game === 'othello' ? 8 : at.size;
  const words = Array.from(at.cells.slice((n - 1) * size, n * size), (cell) => t(cell === 'X' ? 'black' : cell === 'O' ? 'white' : 'empty'));
  return `${n}: ${words.join(', ')}`;
}

/** A move, or a word that asks for something to be read aloud. */
export function runCommand(text: string): void {
  const at = doc.position.value;
  const move = parseMove(at, text);
  if (move !== null) {
    play(move);
    return;
  }
  const [word = '', argument = ''] = text.toLowerCase().split(/\s+/);
  const size = at.game === 'othello' ? 8 : at.size;
  const { black, white } = count(at.cells);
  switch (word) {
    case 'board':
      announce(Array.from({ length: size }, (_, i) => rowWords(i + 1)).join('. '));
      break;
    case 'row':
      announce(rowWords(Math.min(size, Math.max(1, Number(argument) || 1))));
      break;
    case 'legal':
      announce(doc.legal.value.map((each) => moveName(at, each)).join(', ') || t('no_moves'));
      break;
    case 'score':
      announce(t('discs_counted', { black, white }));
      break;
    case 'eval':
    case 'best':
      announce(bestWords());
      break;
    case 'last':
      sayMove();
      break;
    case 'clock': {
      const clock = match.value?.clock;
      announce(clock ? `${t('black')} ${clockText(left(clock, 'X', Date.now()))}, ${t('white')} ${clockText(left(clock, 'O', Date.now()))}` : t('clock_none'));
      break;
    }
    case 'undo':
      doc.stepBack();
      break;
    case 'status':
      announce(statusText(at));
      break;
    default:
      announce(t('not_a_square', { text }));
  }
}

function playBest(): void {
  const [line] = analysis.known.value?.lines ?? [];
  if (doc.passes.value) play(PASS);
  else if (line) play(line.move);
  else {
    analysis.on.value = true;
    announce(t('searching'));
  }
}

function letter(key: string): boolean {
  switch (key.toLowerCase()) {
    case 'h':
      if (screen.value === 'play' && match.value && !match.value.hints) return true;
      analysis.on.value = true;
      announce(bestWords());
      return true;
    case ' ':
      if (screen.value !== 'analyze') return false;
      playBest();
      return true;
    case 'e':
      analysis.on.value = !analysis.on.value;
      announce(t(analysis.on.value ? 'engine_on' : 'engine_off'));
      return true;
    case 'u':
      doc.undo();
      return true;
    case 'r':
      doc.redo();
      return true;
    case 'f':
      flipped.value = !flipped.value;
      return true;
    case 'g':
      tab.value = 'graph';
      show('analyze');
      return true;
    case 'p':
      editing.value = 'paste';
      return true;
    case '?':
      editing.value = 'keys';
      return true;
    default:
      return false;
  }
}

function step(key: string): boolean {
  switch (key) {
    case 'ArrowLeft':
      doc.stepBack();
      break;
    case 'ArrowRight':
      doc.stepForward();
      break;
    case 'ArrowUp':
      doc.sibling(-1);
      break;
    case 'ArrowDown':
      doc.sibling(1);
      break;
    case 'Home':
      doc.toStart();
      break;
    case 'End':
      doc.toEnd();
      break;
    default:
      return false;
  }
  sayMove();
  return true;
}

const typing = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

export function useKeys(): void {
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (typing(event.target) || editing.value !== null || document.querySelector('dialog[open]')) return;
      const boards = screen.value === 'play' || screen.value === 'analyze' || screen.value === 'explore';
      // Space and Enter belong to the button that has the focus.
      const onButton = event.target instanceof HTMLElement && event.target.closest('button, a, summary') !== null;
      if (event.key === '/') {
        event.preventDefault();
        document.getElementById('entry')?.focus();
      } else if (boards && step(event.key)) event.preventDefault();
      else if (settings.value.letters && !(event.key === ' ' && onButton) && letter(event.key)) event.preventDefault();
    };
    const paste = (event: ClipboardEvent): void => {
      if (typing(event.target) || editing.value !== null) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!text.trim()) return;
      event.preventDefault();
      pasted.value = { text, name: '' };
      editing.value = 'paste';
    };
    const over = (event: DragEvent): void => event.preventDefault();
    const drop = (event: DragEvent): void => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      const take = (content: string, name: string): void => {
        pasted.value = { text: content, name };
        editing.value = 'paste';
      };
      if (file && file.size <= 1 << 20) void file.text().then((content) => take(content, file.name));
      else if (file) toast(t('too_large'));
      else if (text) take(text, '');
    };
    window.addEventListener('keydown', key);
    window.addEventListener('paste', paste);
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('keydown', key);
      window.removeEventListener('paste', paste);
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, []);
}

