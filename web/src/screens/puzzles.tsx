// Drills: a position, a move, and what it was worth. Values are stored, so that no engine is needed to judge.
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { plural, signed, t, type Key } from '../i18n';
import { announce } from '../app/announce';
import * as doc from '../app/document';
import { ask, unknownCalls } from '../app/engine';
import { Finish } from './finish';
import { store } from '../app/keep';
import { argument, flipped, show } from '../app/route';
import { settings } from '../app/settings';
import { Board } from '../board/board';
import { moves, moveName, parseMove, play, type Position } from '../model/rules';
import { answered, type Drill } from '../model/store';
import { newTree } from '../model/tree';
import type { Worth } from '../model/worth';
import { Button, Empty } from '../ui/ui';

const SETS = ['own', 'line', 'best', 'hold', 'finish'] as const;
const drills = signal<readonly Drill[]>([]);
const shipped = signal<'unknown' | 'asked' | 'there' | 'missing'>('unknown');

/** Easy ones first: by how many club players choose another move. */
const difficulty = signal<ReadonlyMap<string, number>>(new Map());
const sources = new Map<string, string>();

async function load(): Promise<void> {
  const kept = (await store.value?.drills()) ?? [];
  drills.value = [...kept, ...drills.value.filter((drill) => !kept.some((old) => old.id === drill.id))];
  if (shipped.value !== 'unknown') return;
  shipped.value = 'asked';
  try {
    const found: Drill[] = [];
    const hard = new Map<string, number>();
    await ask('puzzles', {}, (puzzle) => {
      const values = Object.fromEntries(puzzle.moves.map(({ move, value }) => [move, value]));
      const best = puzzle.moves.filter(({ loss }) => loss === 0).map(({ move }) => move);
      const base = { cells: puzzle.board, side: puzzle.side as 'X' | 'O', values, best, exact: true, box: 0, due: 0 };
      const holds = puzzle.themes.includes('win') || puzzle.themes.includes('draw');
      for (const set of [holds ? 'hold' : 'best', ...(puzzle.empties <= 10 ? ['finish'] : [])]) {
        const id = `${set}-${puzzle.puzzle}`;
        found.push({ ...base, id, set });
        hard.set(id, puzzle.wrong[1] ?? 50);
        sources.set(id, puzzle.source);
      }
    });
    difficulty.value = hard;
    const known = new Set(drills.value.map((drill) => drill.id));
    drills.value = [...drills.value, ...found.filter((drill) => !known.has(drill.id))];
    shipped.value = found.length > 0 ? 'there' : 'missing';
  } catch {
    shipped.value = unknownCalls.value.has('puzzles') ? 'missing' : 'unknown';
  }
}

const due = (set: string): Drill[] => drills.value.filter((drill) => drill.set === set && drill.due <= Date.now()).sort((a, b) => b.due - a.due || (difficulty.value.get(a.id) ?? 0) - (difficulty.value.get(b.id) ?? 0));

function One({ drill, onNext, left }: { drill: Drill; onNext: () => void; left: number }): JSX.Element {
  const chosen = useSignal<number | null>(null);
  useEffect(() => {
    chosen.value = null;
  }, [drill.id]);
  const position: Position = { game: 'othello', cells: drill.cells, side: drill.side };
  const name = chosen.value === null ? '' : moveName(position, chosen.value);
  const right = drill.best.includes(name);
  const top = Math.max(...drill.best.map((move) => drill.values[move] ?? 0));
  const cost = name in drill.values ? top - drill.values[name]! : null;
  const values = new Map<number, Worth>();
  if (chosen.value !== null && drill.set !== 'line') {
    for (const [move, value] of Object.entries(drill.values)) {
      const square = parseMove(position, move);
      if (square !== null) values.set(square, { value, kind: drill.exact ? 'exact' : 'estimate', depth: 0 });
    }
  }
  const after = chosen.value === null ? null : play(position, chosen.value);
  const answer = (square: number): void => {
    if (chosen.value !== null || !moves(position).includes(square)) return;
    chosen.value = square;
    const good = drill.best.includes(moveName(position, square));
    announce(t(good ? 'puzzle_right' : drill.set === 'line' ? 'puzzle_other' : 'puzzle_wrong'));
    const next = answered(drill, good, Date.now());
    void store.value?.putDrill(next);
  };
  return (
    <div class="two">
      <div class="table">
        <p class="status center">{t(drill.side === 'X' ? 'black_to_move' : 'white_to_move')}</p>
        <Board
          position={position}
          turn={flipped.value}
          coordinates={settings.value.coordinates}
          legal={moves(position)}
          dots={settings.value.legal}
          values={values}
          best={new Set(chosen.value === null ? [] : drill.best.flatMap((move) => parseMove(position, move) ?? []))}
          last={null}
          marks={[]}
          bars={settings.value.bars}
          onSquare={answer}
        />
      </div>
      <section class="panel" aria-label={t('screen_puzzles')}>
        <div class="stack">
          <h1>{t(`set_${drill.set}` as Key)}</h1>
          <p class="lead-text">{t(`set_${drill.set}_task` as Key)}</p>
          {chosen.value === null ? (
            <p class="note">
              {plural('puzzles_left', left)}
              {sources.has(drill.id) && ` · ${sources.get(drill.id)}`}
              {difficulty.value.has(drill.id) && ` · ${t('puzzle_wrong_share', { n: difficulty.value.get(drill.id)! })}`}
            </p>
          ) : (
            <div class={right ? 'end-card good' : 'end-card bad'} role="status">
              <p class="verdict">{t(right ? 'puzzle_right' : drill.set === 'line' ? 'puzzle_other' : 'puzzle_wrong')}</p>
              <p>
                {drill.set === 'line' ? t('puzzle_line', { move: drill.best.join(', ') }) : t('puzzle_best', { moves: drill.best.join(', '), value: signed(top, drill.exact ? 0 : 1) })}
                {!right && cost !== null && ` ${t('puzzle_cost', { move: name, n: signed(-cost, drill.exact ? 0 : 1) })}`}
              </p>
            </div>
          )}
          <div class="line-of-buttons">
            {chosen.value !== null && <Button kind="main" icon="forward" label={t('next_puzzle')} onClick={onNext} />}
            {chosen.value !== null && (
              <Button
                label={t('look_at_it')}
                onClick={() => {
                  doc.replace(newTree(position));
                  if (after) doc.playMove(chosen.value!);
                  show('analyze');
                }}
              />
            )}
            <Button label={t('all_sets')} onClick={() => show('puzzles')} />
          </div>
        </div>
      </section>
    </div>
  );
}

export function Puzzles(): JSX.Element {
  useEffect(() => void load(), [store.value]);
  const session = useSignal<readonly Drill[]>([]);
  const at = useSignal(0);
  const set = argument.value;
  useEffect(() => {
    session.value = due(set);
    at.value = 0;
  }, [set, drills.value]);
  const now = session.value[at.value];
  if (set === 'finish' && now) return <Finish key={now.id} drill={now} left={session.value.length - at.value} onNext={() => (at.value += 1)} />;
  if (set && now) return <One drill={now} left={session.value.length - at.value} onNext={() => (at.value += 1)} />;
  return (
    <div class="page">
      <h1>{t('screen_puzzles')}</h1>
      <p class="lead-text">{t('puzzles_lead')}</p>
      {set && <p class="note">{t('set_done', { set: t(`set_${set}` as Key) })}</p>}
      <div class="cards-grid">
        {SETS.map((id) => {
          const all = drills.value.filter((drill) => drill.set === id).length;
          const open = due(id).length;
          return (
            <button key={id} type="button" class="card tile" disabled={open === 0} onClick={() => show('puzzles', id)}>
              <b>{t(`set_${id}` as Key)}</b>
              <span>{t(`set_${id}_task` as Key)}</span>
              <small>{all > 0 ? `${plural('puzzles_due', open)} / ${all}` : id === 'own' ? t('set_own_empty') : id === 'line' ? t('set_line_empty') : shipped.value === 'missing' ? t('set_missing') : t('set_none')}</small>
            </button>
          );
        })}
      </div>
      {shipped.value === 'missing' && drills.value.length === 0 && (
        <Empty title={t('puzzles_missing')}>
          <p>{t('puzzles_missing_hint')}</p>
          <Button kind="main" icon="graph" label={t('review_a_game')} onClick={() => show('analyze')} />
        </Empty>
      )}
    </div>
  );
}
