// What only the engine knows of a position of Gomoku: points that Renju forbids.
import { effect, signal, untracked } from '@preact/signals';
import * as doc from './document';
import { askAll, engineState } from './engine';
import { gameFields, keyOf, positionInput } from './wire';

export const forbiddenPoints = signal<readonly number[]>([]);

export function startForbidden(): void {
  let last = '';
  effect(() => {
    const at = doc.position.value;
    const key = at.game === 'gomoku' && at.rule === 'renju' && at.side === 'X' && engineState.value === 'ready' ? keyOf(at) : '';
    if (key === last) return;
    last = key;
    forbiddenPoints.value = [];
    if (!key) return;
    void untracked(async () => {
      try {
        const [seen] = await askAll('show', { ...gameFields(at), input: positionInput(doc.tree.value, doc.path.value) });
        if (last !== key || !seen || !('forbidden' in seen) || at.game !== 'gomoku') return;
        const { parsePoint } = await import('../model/gomoku');
        forbiddenPoints.value = seen.forbidden.flatMap((name) => parsePoint(name, at.size) ?? []);
      } catch {
        // Without an answer the engine says so when such a point is played.
      }
    });
  });
}
