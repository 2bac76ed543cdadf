// Perfect finish: the end of a game against best play, without losing a disc. The engine answers and judges each move.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { plural, signed, t } from '../i18n';
import { announce } from '../app/announce';
import * as doc from '../app/document';
import { askAll } from '../app/engine';
import { store } from '../app/keep';
import { flipped, show } from '../app/route';
import { settings } from '../app/settings';
import { Board } from '../board/board';
import { result } from '../model/othello';
import { isOver, moves, moveName, mustPass, parseMove, PASS, play, type Position } from '../model/rules';
import { answered, type Drill } from '../model/store';
import { newTree } from '../model/tree';
import { Button } from '../ui/ui';

interface Judged {
  /** For the side to move. */
  value: number;
  best: string | null;
}

async function judge(position: Position): Promise<Judged> {
  if (position.game !== 'othello' || isOver(position)) {
    const margin = position.game === 'othello' ? result(position) : 0;
    return { value: position.side === 'X' ? margin : -margin, best: null };
  }
  const [answer] = await askAll('solve', { input: { text: `${position.cells} ${position.side}` } });
  if (!answer || !('board' in answer) || typeof answer.value !== 'number') throw new Error(t('no_answer'));
  return { value: answer.value, best: answer.best[0] ?? null };
}

export function Finish({ drill, left, onNext }: { drill: Drill; left: number; onNext: () => void }): JSX.Element {
  const start: Position = { game: 'othello', cells: drill.cells, side: drill.side };
  const position = useSignal<Position>(start);
  const last = useSignal<number | null>(null);
  const state = useSignal<'mine' | 'theirs' | 'right' | 'wrong'>('mine');
  const said = useSignal('');
  const target = Math.max(...drill.best.map((move) => drill.values[move] ?? 0));

  const end = (right: boolean, text: string): void => {
    state.value = right ? 'right' : 'wrong';
    said.value = text;
    announce(`${t(right ? 'puzzle_right' : 'puzzle_wrong')} ${text}`);
    void store.value?.putDrill(answered(drill, right, Date.now()));
  };

  /** The other side's best moves, until it is our turn again. */
  const reply = async (): Promise<void> => {
    state.value = 'theirs';
    try {
      for (;;) {
        const now = position.value;
        if (isOver(now)) {
          end(true, t('finish_done', { value: signed(target) }));
          return;
        }
        if (mustPass(now)) {
          position.value = play(now, PASS)!;
          continue;
        }
        if (now.side === drill.side) break;
        const { best } = await judge(now);
        const move = best === null ? null : parseMove(now, best);
        const next = move === null ? null : play(now, move);
        if (!next) throw new Error(t('no_answer'));
        position.value = next;
        last.value = move;
      }
      state.value = 'mine';
    } catch (error) {
      said.value = (error as Error).message;
      state.value = 'mine';
    }
  };

  const tap = async (square: number): Promise<void> => {
    const before = position.value;
    const next = state.value === 'mine' ? play(before, square) : null;
    if (!next) return;
    state.value = 'theirs';
    position.value = next;
    last.value = square;
    said.value = '';
    try {
      const { value } = await judge(next);
      const mine = next.side === drill.side ? value : -value;
      if (mine < target) end(false, t('puzzle_cost', { move: moveName(before, square), n: signed(mine - target) }));
      else await reply();
    } catch (error) {
      position.value = before;
      said.value = (error as Error).message;
      state.value = 'mine';
    }
  };

  const ended = state.value === 'right' || state.value === 'wrong';
  return (
    <div class="two">
      <div class="table">
        <p class="status center">{t(drill.side === 'X' ? 'you_are_black' : 'you_are_white', { value: signed(target) })}</p>
        <Board
          position={position.value}
          turn={flipped.value}
          coordinates={settings.value.coordinates}
          legal={state.value === 'mine' ? moves(position.value).filter((move) => move !== PASS) : []}
          dots={settings.value.legal}
          last={last.value}
          bars={settings.value.bars}
          onSquare={(square) => void tap(square)}
        />
      </div>
      <section class="panel" aria-label={t('screen_puzzles')}>
        <div class="stack">
          <h1>{t('set_finish')}</h1>
          <p class="lead-text">{t('set_finish_task')}</p>
          {ended ? (
            <div class={state.value === 'right' ? 'end-card good' : 'end-card bad'} role="status">
              <p class="verdict">{t(state.value === 'right' ? 'puzzle_right' : 'puzzle_wrong')}</p>
              <p>{said.value}</p>
            </div>
          ) : (
            <p class={said.value ? 'warning' : 'note'}>{said.value || plural('puzzles_left', left)}</p>
          )}
          <div class="line-of-buttons">
            {ended && <Button kind="main" icon="forward" label={t('next_puzzle')} onClick={onNext} />}
            {ended && (
              <Button
                icon="undo"
                label={t('try_again')}
                onClick={() => {
                  position.value = start;
                  last.value = null;
                  said.value = '';
                  state.value = 'mine';
                }}
              />
            )}
            <Button
              label={t('look_at_it')}
              onClick={() => {
                doc.replace(newTree(start));
                show('analyze');
              }}
            />
            <Button label={t('all_sets')} onClick={() => show('puzzles')} />
          </div>
        </div>
      </section>
    </div>
  );
}
