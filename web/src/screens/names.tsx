// The names that the moves of a position lead to.
import { effect, signal, untracked } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../i18n';
import * as doc from '../app/document';
import { askAll, engineState } from '../app/engine';
import { openingLanguage, openingText } from '../app/naming';
import { gameInput } from '../app/wire';
import type { Opening } from '../engine/messages';
import { squareName } from '../model/othello';
import { OTHELLO_START, PASS } from '../model/rules';

export const branches = signal<ReadonlyMap<number, Opening>>(new Map());

/** Asks for the names of all positions one move from here, in one call. */
function startBranches(): void {
  let last = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const tree = doc.tree.value;
    const path = doc.path.value;
    const at = doc.position.value;
    if (at.game !== 'othello' || engineState.value !== 'ready' || tree.start.cells !== OTHELLO_START.cells) {
      branches.value = new Map();
      return;
    }
    const { text } = path.length > 0 ? gameInput(tree, path) : { text: '' };
    if (text === last) return;
    last = text;
    const moves = doc.legal.value.filter((move) => move !== PASS);
    branches.value = new Map();
    // A name holds for its position until the next one, so only those that begin with the move count.
    const length = [...at.cells].filter((cell) => cell !== '-').length - 3;
    if (moves.length === 0 || length > 26) return;
    // Who walks through a game asks nothing of the positions on the way.
    clearTimeout(timer);
    timer = setTimeout(() => void untracked(async () => {
      try {
        const seen = await askAll('show', { input: { text: moves.map((move) => text + squareName(move)).join('\n') } });
        if (last !== text) return;
        const found = new Map<number, Opening>();
        seen.forEach((event, i) => {
          const move = moves[('line' in event && event.line ? event.line : i + 1) - 1];
          if (move !== undefined && 'opening' in event && event.opening && event.opening.moves >= length) found.set(move, event.opening);
        });
        branches.value = found;
      } catch {
        // Without names the moves are still there.
      }
    }), 60);
  });
}
let started = false;

export function startBranching(): void {
  if (started) return;
  started = true;
  startBranches();
}

/** The named moves of this position, for the panel of the analysis. */
export function Names(): JSX.Element | null {
  startBranching();
  if (branches.value.size === 0) return null;
  return (
    <details open={doc.path.value.length < 12}>
      <summary>{t('named_moves')}</summary>
      <ul class="named">
        {[...branches.value].map(([move, name]) => (
          <li key={move}>
            <button type="button" class="button quiet" onClick={() => doc.playMove(move)}>
              <b>{squareName(move)}</b> <span lang={openingLanguage(name)}>{openingText(name)}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
