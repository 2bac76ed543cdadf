// Openings: what each move leads to by name, what the book says of it, and how it fared in the user's own games.
import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { number, plural, signed, t } from '../i18n';
import * as analysis from '../app/analysis';
import * as doc from '../app/document';
import { toast } from '../app/announce';
import { editing } from '../app/dialogs';
import { drillsOfLine, keepDrills } from '../app/review';
import { show } from '../app/route';
import { askAll, unknownCalls } from '../app/engine';
import type { BookMove } from '../engine/messages';
import { games } from '../app/keep';
import { openingLanguage, openingText, opening } from '../app/naming';
import { gameInput, keyOf } from '../app/wire';
import { readGame } from '../model/link';
import { turnSquare } from '../model/othello';
import { isOver, moveName, play, PASS, type Position } from '../model/rules';
import { mainFrom, mainLine, positionAt } from '../model/tree';
import { result } from '../model/othello';
import { inPanel } from '../model/worth';
import { Button, Empty, Switch } from '../ui/ui';
import { branches, startBranching } from './names';
import { Table } from './table';

interface Record {
  games: number;
  black: number;
  draws: number;
  white: number;
  discs: number;
}

const turned = signal(true);

/** The eight ways to lay a board, least first: two games meet where these agree. */
function canonical(cells: string): { key: string; which: number } {
  let key = '';
  let which = 0;
  for (let symmetry = 0; symmetry < 8; symmetry += 1) {
    const out = Array<string>(64);
    for (let square = 0; square < 64; square += 1) out[turnSquare(square, symmetry)] = cells[square]!;
    const text = out.join('');
    if (key === '' || text < key) [key, which] = [text, symmetry];
  }
  return { key, which };
}

const keyAt = (position: Position): string => (turned.value ? canonical(position.cells).key : position.cells) + position.side;

/** For every position of the first 30 discs of the library's games: how the games that came through it ended. */
const index = computed(() => {
  const found = new Map<string, Record>();
  for (const record of games.value) {
    if (record.game !== 'othello' || record.binned !== null) continue;
    const { tree } = readGame(record.link.replace(/^#\/\w+\//, '').replace(/[@?].*$/, ''));
    const last = positionAt(tree, mainFrom(tree, []));
    if (last.game !== 'othello' || !isOver(last) || mainLine(tree).length < 4) continue;
    const margin = result(last);
    let at: Position = tree.start;
    for (const move of mainLine(tree).slice(0, 30)) {
      const next = play(at, move);
      if (!next) break;
      at = next;
      const key = keyAt(at);
      const sum = found.get(key) ?? { games: 0, black: 0, draws: 0, white: 0, discs: 0 };
      sum.games += 1;
      sum.discs += margin;
      if (margin > 0) sum.black += 1;
      else if (margin < 0) sum.white += 1;
      else sum.draws += 1;
      found.set(key, sum);
    }
  }
  return found;
});

const book = signal<ReadonlyMap<string, BookMove>>(new Map());
let asked = '';

/** Book and large collections belong to the engine, where it has them. */
async function askBook(): Promise<void> {
  const { text } = gameInput(doc.tree.value, doc.path.value);
  if (asked === text || unknownCalls.value.has('explore')) return;
  asked = text;
  book.value = new Map();
  try {
    const [found] = await askAll('explore', { input: { text } });
    if (asked === text && found) book.value = new Map(found.moves.flatMap((each) => (each.book ? [[each.move, each.book] as const] : [])));
  } catch {
    // The screen says what is missing.
  }
}

type Column = 'move' | 'games' | 'value';
const sort = signal<Column>('games');

function Bar({ record }: { record: Record }): JSX.Element {
  const share = (n: number): number => (100 * n) / record.games;
  return (
    <span class="shares">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="b" width={share(record.black)} height={8} />
        <rect class="d" x={share(record.black)} width={share(record.draws)} height={8} />
        <rect class="w" x={share(record.black + record.draws)} width={share(record.white)} height={8} />
      </svg>
      <small aria-label={t('games_split', { black: record.black, draws: record.draws, white: record.white })}>
        {record.black} / {record.draws} / {record.white}
      </small>
    </span>
  );
}

function Rows(): JSX.Element {
  const at = doc.position.value;
  const known = analysis.knownOf(keyOf(at));
  const rows = doc.legal.value
    .filter((move) => move !== PASS)
    .map((move) => {
      const next = play(at, move)!;
      return {
        move,
        name: branches.value.get(move),
        record: index.value.get(keyAt(next)),
        line: known?.lines.find((line) => line.move === move),
        book: book.value.get(moveName(at, move)),
      };
    });
  rows.sort((a, b) => {
    if (sort.value === 'games') return (b.record?.games ?? 0) - (a.record?.games ?? 0) || (b.line?.value ?? -99) - (a.line?.value ?? -99) || Number(!!b.name) - Number(!!a.name);
    if (sort.value === 'value') return (b.line?.value ?? -99) - (a.line?.value ?? -99);
    return a.move - b.move;
  });
  const head = (column: Column, label: string): JSX.Element => (
    <th scope="col" aria-sort={sort.value === column ? (column === 'move' ? 'ascending' : 'descending') : 'none'}>
      <button type="button" class="sort" onClick={() => (sort.value = column)}>
        {label}
      </button>
    </th>
  );
  return (
    <div class="scroll">
      <table class="figures explore">
        <thead>
          <tr>
            {head('move', t('move'))}
            <th scope="col">{t('name')}</th>
            {book.value.size > 0 && <th scope="col">{t('book')}</th>}
            {head('value', t('tab_engine'))}
            {head('games', t('games'))}
            <th scope="col">{t('mean_margin')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.move}>
              <th scope="row">
                <button type="button" class="button quiet" onClick={() => doc.playMove(row.move)}>
                  {moveName(at, row.move)}
                </button>
              </th>
              <td lang={openingLanguage(row.name)}>{openingText(row.name)}</td>
              {book.value.size > 0 && <td>{typeof row.book?.value === 'number' ? signed(row.book.value, 1) : ''}</td>}
              <td>{row.line ? inPanel(row.line, 'othello') : '–'}</td>
              <td>{row.record ? <Bar record={row.record} /> : '–'}</td>
              <td>{row.record ? signed(row.record.discs / row.record.games, 1) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function drill(side: 'X' | 'O'): Promise<void> {
  const drills = drillsOfLine(doc.tree.value, doc.path.value, side);
  await keepDrills(drills);
  toast(t('drills_kept', { n: drills.length }), { label: t('screen_puzzles'), run: () => show('puzzles', 'line') });
}

export function Explore(): JSX.Element {
  startBranching();
  void askBook();
  const own = games.value.filter((record) => record.game === 'othello' && record.binned === null).length;
  const missing = unknownCalls.value.has('explore');
  return (
    <div class="two">
      <Table showValues={analysis.on.value} />
      <section class="panel" aria-label={t('screen_explore')}>
        {doc.game.value !== 'othello' ? (
          <Empty title={t('explore_gomoku')} />
        ) : (
          <div class="stack">
            <div class="panel-head">
              <p class="opening" lang={openingLanguage(opening.value)}>
                {openingText(opening.value) || t('explore_start')}
              </p>
            </div>
            <Rows />
            <Switch label={t('join_turned')} checked={turned.value} onChange={(on) => (turned.value = on)} />
            <div class="line-of-buttons">
              <Button icon={analysis.on.value ? 'stop' : 'play'} label={analysis.on.value ? t('stop') : t('show_engine_values')} onClick={() => (analysis.on.value = !analysis.on.value)} />
              {(['X', 'O'] as const).map((side) => (
                <Button key={side} icon="hint" label={t(side === 'X' ? 'drill_black' : 'drill_white')} disabled={doc.path.value.length < 2} onClick={() => void drill(side)} />
              ))}
              <Button icon="plus" label={t('add_games')} onClick={() => (editing.value = 'paste')} />
            </div>
            <p class="note">
              {plural('own_games', own)} {missing ? t('explore_missing') : ''}
            </p>
            <p class="note">{t('figures_from_games', { n: number(index.value.size) })}</p>
          </div>
        )}
      </section>
    </div>
  );
}
