// The board of the game in hand, with what the screen wants to see on it.
import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { plural, t } from '../i18n';
import { lines } from '../app/analysis';
import { announce } from '../app/announce';
import * as doc from '../app/document';
import { humanMove, match, personToMove, thinking, winnerOf } from '../app/match';
import { flipped, screen } from '../app/route';
import { settings } from '../app/settings';
import { forbiddenPoints } from '../app/gomoku';
import { Board } from '../board/board';
import { count, result } from '../model/othello';
import { moveName, PASS, type Position } from '../model/rules';
import { nodesOn } from '../model/tree';
import type { Worth } from '../model/worth';
import { Button } from '../ui/ui';

/** Values of the moves on the board, as the settings want to see them. */
const values = computed(() => {
  const found = new Map<number, Worth>();
  const { position } = doc;
  const turn = settings.value.black && position.value.side === 'O' && position.value.game === 'othello' ? -1 : 1;
  for (const line of lines.value) found.set(line.move, turn === 1 ? line : { ...line, value: -line.value });
  return found;
});

const best = computed(() => {
  const [first] = lines.value;
  if (!first) return new Set<number>();
  return new Set(lines.value.filter((line) => line.value === first.value && line.kind === first.kind).map((line) => line.move));
});

const numbers = computed(() => {
  const found = new Map<number, number>();
  if (!settings.value.numbers) return found;
  let n = 0;
  for (const node of nodesOn(doc.tree.value, doc.path.value).slice(1)) {
    if (node.move === PASS && doc.game.value === 'othello') continue;
    n += 1;
    found.set(node.move, n);
  }
  return found;
});

export function statusText(position: Position): string {
  if (position.game === 'gomoku') {
    if (position.won) return t(position.won === 'X' ? 'black_wins' : 'white_wins');
    if (doc.over.value) return t('draw');
    return t(position.side === 'X' ? 'black_to_move' : 'white_to_move');
  }
  if (doc.over.value) {
    const margin = result(position);
    if (margin === 0) return t('draw_discs');
    return t(margin > 0 ? 'black_wins_by' : 'white_wins_by', { n: Math.abs(margin) });
  }
  if (doc.passes.value) return t(position.side === 'X' ? 'black_must_pass' : 'white_must_pass');
  return t(position.side === 'X' ? 'black_to_move' : 'white_to_move');
}

/** What is read aloud after a move. */
export function sayMove(): void {
  const at = doc.position.value;
  const was = doc.before.value;
  const move = doc.lastMove.value;
  if (!was || move === null) return;
  const who = t(was.side === 'X' ? 'black' : 'white');
  const what = move === PASS && at.game === 'othello' ? t('say_passes', { who }) : `${who} ${moveName(at, move)}${at.game === 'othello' ? `, ${plural('turned', doc.turned.value.length)}` : ''}`;
  const next = doc.over.value || doc.passes.value || at.game === 'gomoku' ? statusText(at) : `${statusText(at)}, ${plural('moves', doc.legal.value.length)}`;
  announce(`${what}. ${next}`);
}

export function play(move: number): void {
  if (screen.value === 'play' ? humanMove(move) : doc.playMove(move)) return;
  if (thinking.value || !personToMove.value) announce(t('engine_thinks'));
  else if (doc.position.value.cells[move] === '-') announce(t('not_legal', { move: moveName(doc.position.value, move) }));
}

function Score(): JSX.Element {
  const at = doc.position.value;
  const { black, white, empty } = count(at.cells);
  const winner = doc.over.value ? winnerOf(at) : null;
  const turn = (side: 'X' | 'O'): string => (doc.over.value ? (winner === side ? 'side won' : 'side') : at.side === side ? 'side turn' : 'side');
  return (
    <div class="score">
      <div class={turn('X')}>
        <span class="chip black" aria-hidden="true" />
        <span class="hidden">{t('black')}</span>
        {at.game === 'othello' && <b>{black}</b>}
      </div>
      <p class="status" data-testid="status">
        {statusText(at)}
        {at.game === 'othello' && !doc.over.value && <small>{plural('empties', empty)}</small>}
        {at.game === 'othello' && doc.over.value && empty > 0 && <small>{t('empties_to_winner')}</small>}
      </p>
      <div class={turn('O')}>
        {at.game === 'othello' && <b>{white}</b>}
        <span class="hidden">{t('white')}</span>
        <span class="chip white" aria-hidden="true" />
      </div>
    </div>
  );
}

/** The branches to choose from where the game forks. */
function Fork(): JSX.Element | null {
  const { children } = doc.node.value;
  if (children.length < 2) return null;
  return (
    <div class="fork" role="group" aria-label={t('fork')}>
      {children.map((child, i) => (
        <button key={i} type="button" class="button quiet" onClick={() => doc.go([...doc.path.value, i])}>
          {child.move === PASS && doc.game.value === 'othello' ? t('pass') : moveName(doc.position.value, child.move)}
          {child.glyph ?? ''}
        </button>
      ))}
    </div>
  );
}

export function Walk(): JSX.Element {
  const atStart = doc.path.value.length === 0;
  const atEnd = doc.node.value.children.length === 0;
  return (
    <div class="walk" role="group" aria-label={t('walk')}>
      <Button icon="first" label={t('to_start')} text={false} disabled={atStart} onClick={doc.toStart} />
      <Button icon="back" label={t('back')} text={false} disabled={atStart} onClick={doc.stepBack} />
      <Button icon="forward" label={t('forward')} text={false} disabled={atEnd} onClick={doc.stepForward} />
      <Button icon="last" label={t('to_end')} text={false} disabled={atEnd} onClick={doc.toEnd} />
      <Button icon="flip" label={t('turn_board')} text={false} pressed={flipped.value} onClick={() => (flipped.value = !flipped.value)} />
    </div>
  );
}

/** `beside` are values that stand where the engine has said nothing. */
export function Table({ showValues, beside }: { showValues: boolean; beside?: ReadonlyMap<number, Worth> }): JSX.Element {
  const at = doc.position.value;
  const own = settings.value;
  const canPlay = screen.value !== 'play' || personToMove.value;
  const [first] = doc.node.value.children;
  return (
    <div class="table">
      <Score />
      <Board
        position={at}
        turn={flipped.value}
        coordinates={own.coordinates}
        legal={canPlay ? doc.legal.value : []}
        dots={own.legal}
        last={doc.lastMove.value === PASS && at.game === 'othello' ? null : doc.lastMove.value}
        turned={own.flipped ? doc.turned.value : []}
        values={beside ? new Map([...beside, ...(showValues ? values.value : [])]) : showValues ? values.value : undefined}
        best={showValues ? best.value : undefined}
        marks={doc.node.value.marks ?? []}
        numbers={numbers.value}
        forbidden={forbiddenPoints.value}
        bars={own.bars}
        confirm={own.confirm || (at.game === 'gomoku' && window.innerWidth < 600)}
        next={screen.value === 'analyze' && first ? first.move : null}
        onSquare={play}
      />
      {doc.passes.value && canPlay && (!match.value || !match.value.ended) && (
        <div class="pass-line">
          <Button kind="main" label={t('pass_button')} onClick={() => play(PASS)} />
        </div>
      )}
      <Fork />
      <Walk />
    </div>
  );
}

