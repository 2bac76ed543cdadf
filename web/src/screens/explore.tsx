// Openings: what each move leads to by name, what the book and the engine say of it, and how games with it ended.
import { computed, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { number, plural, signed, t } from '../i18n';
import * as analysis from '../app/analysis';
import * as doc from '../app/document';
import { toast } from '../app/announce';
import { startCollections } from '../app/collections';
import * as openings from '../app/openings';
import { drillsOfLine, keepDrills } from '../app/review';
import { show } from '../app/route';
import { settings } from '../app/settings';
import { unknownCalls } from '../app/engine';
import type { Branch, ListedGame, Named } from '../engine/messages';
import type { Line } from '../engine/cache';
import { openingLanguage, openingText, opening } from '../app/naming';
import { keyOf } from '../app/wire';
import { readGame } from '../model/link';
import { moveName, play, PASS } from '../model/rules';
import { mainFrom } from '../model/tree';
import { inPanel, inWords, type Worth } from '../model/worth';
import { Button, Empty } from '../ui/ui';
import { GameFiles } from './collections';
import { Table } from './table';

const library = computed(openings.countLibrary);

interface Row {
  readonly move: number;
  readonly branch: Branch | undefined;
  readonly tally: openings.Tally | null;
  readonly book: Worth | null;
  readonly line: Line | undefined;
}

/** What is known of the position on the board; what was asked for another one is not. */
const here = computed(() => {
  const found = openings.branches.value;
  const at = doc.position.value;
  return found && found.board === at.cells && found.side === at.side ? found : null;
});

const rows = computed<readonly Row[]>(() => {
  const at = doc.position.value;
  if (at.game !== 'othello') return [];
  const known = analysis.knownOf(keyOf(at));
  const from = openings.source.value;
  return doc.legal.value
    .filter((move) => move !== PASS)
    .map((move) => {
      const name = moveName(at, move);
      const branch = here.value?.moves.find((each) => each.move === name);
      const own = from === 'all' || from === 'library' ? (library.value.get(openings.keyAt(play(at, move)!)) ?? null) : null;
      return {
        move,
        branch,
        tally: openings.sum(own, from === 'library' ? null : openings.tallyOf(branch?.games)),
        book: openings.bookWorth(branch?.book),
        line: known?.lines.find((line) => line.move === move),
      };
    });
});

/** Values of the book on the squares. */
const onBoard = computed(() => {
  const turn = settings.value.black && doc.position.value.side === 'O' ? -1 : 1;
  return new Map(rows.value.flatMap(({ move, book }) => (book ? [[move, { ...book, value: turn * book.value }] as const] : [])));
});

const COLUMNS = ['move', 'book', 'value', 'games', 'mean', 'year'] as const;
type Column = (typeof COLUMNS)[number];
/** By the values of the book until somebody chooses another order. */
const sort = signal<Column>('book');

const orders: Record<Column, (row: Row) => number> = {
  move: (row) => -row.move,
  book: (row) => row.book?.value ?? -99,
  value: (row) => row.line?.value ?? -99,
  games: (row) => row.tally?.games ?? 0,
  mean: (row) => (row.tally ? (openings.meanOf(row.tally) ?? -99) * (doc.position.value.side === 'X' ? 1 : -1) : -99),
  year: (row) => row.tally?.year ?? 0,
};

const sorted = computed(() => {
  const by = [orders[sort.value], orders.book, orders.value, orders.games, orders.move];
  return [...rows.value].sort((a, b) => by.reduce((found, order) => found || order(b) - order(a), 0));
});

function Bar({ tally }: { tally: openings.Tally }): JSX.Element {
  const known = Math.max(1, tally.black + tally.draws + tally.white);
  const share = (n: number): number => (100 * n) / known;
  return (
    <span class="shares">
      <span>{plural('games_n', tally.games)}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="b" width={share(tally.black)} height={8} />
        <rect class="d" x={share(tally.black)} width={share(tally.draws)} height={8} />
        <rect class="w" x={share(tally.black + tally.draws)} width={share(tally.white)} height={8} />
      </svg>
      <small>
        <span class="hidden">{t('games_split', { black: tally.black, draws: tally.draws, white: tally.white })}</span>
        <span aria-hidden="true">
          {number(tally.black)} / {number(tally.draws)} / {number(tally.white)}
        </span>
      </small>
    </span>
  );
}

function Value({ worth, below }: { worth: Worth | null | undefined; below?: string | undefined }): JSX.Element {
  if (!worth) return <>–</>;
  const turn = settings.value.black && doc.position.value.side === 'O' ? -1 : 1;
  const shown = { ...worth, value: turn * worth.value };
  return (
    <span class="worth" title={inWords(shown, 'othello')}>
      <span class={`figure ${worth.kind}`}>{inPanel(shown, 'othello')}</span>
      {below && <small>{below}</small>}
    </span>
  );
}

function Rows(): JSX.Element {
  const at = doc.position.value;
  const hasBook = rows.value.some(({ book }) => book !== null);
  const hasYears = rows.value.some(({ tally }) => tally?.year);
  const label: Record<Column, string> = { move: t('move'), book: t('book'), value: t('tab_engine'), games: t('games'), mean: t('mean_margin'), year: t('last_year') };
  const shown = COLUMNS.filter((column) => (column !== 'book' || hasBook) && (column !== 'year' || hasYears));
  return (
    <div class="scroll">
      <table class="figures explore">
        <caption class="hidden">{t('explore_caption')}</caption>
        <thead>
          <tr>
            {shown.map((column) => (
              <th key={column} scope="col" aria-sort={sort.value === column ? (column === 'move' ? 'ascending' : 'descending') : 'none'}>
                <button type="button" class="sort" onClick={() => (sort.value = column)}>
                  {label[column]}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.value.map(({ move, branch, book, line, tally }) => {
            const mean = tally && openings.meanOf(tally);
            return (
              <tr key={move} data-move={moveName(at, move)}>
                <th scope="row">
                  <button type="button" class="button quiet branch" onClick={() => doc.playMove(move)}>
                    {moveName(at, move)}
                    <small lang={openingLanguage(branch?.opening)}>{openingText(branch?.opening)}</small>
                  </button>
                </th>
                {hasBook && (
                  <td>
                    <Value worth={book} below={branch?.book?.grade && book ? t('grade', { grade: branch.book.grade }) : undefined} />
                  </td>
                )}
                <td>
                  <Value worth={line} below={line?.kind === 'estimate' ? String(line.depth) : undefined} />
                </td>
                <td class="games-cell">{tally ? <Bar tally={tally} /> : '–'}</td>
                <td>{typeof mean === 'number' ? signed(mean, 1) : '–'}</td>
                {hasYears && <td>{tally?.year ?? '–'}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Finds openings by name and goes there. */
function Find(): JSX.Element {
  const text = useSignal('');
  const found = useSignal<readonly Named[] | null>(null);
  useEffect(() => {
    const wanted = text.value;
    if (!wanted.trim()) {
      found.value = null;
      return;
    }
    const timer = setTimeout(
      () =>
        void openings.searchNames(wanted).then(
          (names) => {
            if (text.value === wanted) found.value = names;
          },
          () => (found.value = []),
        ),
      150,
    );
    return () => clearTimeout(timer);
  }, [text.value]);
  const go = (named: Named): void => {
    openings.openNamed(named);
    text.value = '';
  };
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        // What is listed may still be for what was typed before.
        void openings.searchNames(text.value).then(([first]) => first && go(first));
      }}
    >
      <label class="field tall">
        <span class="words">{t('find_opening')}</span>
        <input type="search" autocomplete="off" spellcheck={false} placeholder={t('find_opening_hint')} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
      <p class="hidden" role="status">
        {found.value ? plural('found', found.value.length) : ''}
      </p>
      {found.value?.length === 0 && <p class="note">{t('search_empty')}</p>}
      {found.value && found.value.length > 0 && (
        <ul class="found">
          {found.value.map((named) => (
            <li key={named.line}>
              <button type="button" class="button quiet" onClick={() => go(named)}>
                <span>
                  <b>{named.opening?.english ?? named.opening?.japanese}</b>{' '}
                  {named.opening?.english && <span lang="ja">{named.opening.japanese}</span>} <small>{named.opening?.romanized}</small>
                </span>
                <small class="mono">{named.game}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** Some of the games that went through the position. */
function Examples(): JSX.Element | null {
  const all = new Map<number, ListedGame>();
  if (openings.source.value !== 'library') for (const { examples } of here.value?.moves ?? []) for (const game of examples ?? []) all.set(game.id, game);
  if (all.size === 0) return null;
  const openGame = (game: ListedGame): void => {
    const { tree } = readGame(game.start ? '' : game.moves);
    doc.replace({ ...tree, tags: { Black: game.black, White: game.white, Event: game.event, Date: game.date } }, mainFrom(tree, []).slice(0, doc.path.value.length));
    show('analyze');
  };
  return (
    <details>
      <summary>{t('example_games')}</summary>
      <ul class="examples">
        {[...all.values()]
          .filter((game) => !game.start)
          .map((game) => (
            <li key={`${game.source}${game.id}`}>
              <button type="button" class="button quiet" onClick={() => openGame(game)}>
                <span>
                  {game.black || '?'} – {game.white || '?'}
                </span>
                <small>{[game.date, game.event, typeof game.margin === 'number' ? `${(64 + game.margin) / 2}–${(64 - game.margin) / 2}` : ''].filter(Boolean).join(' · ')}</small>
              </button>
            </li>
          ))}
      </ul>
    </details>
  );
}

const digging = signal(0);
let stopDigging: AbortController | null = null;

function kept(n: number): void {
  toast(t('drills_kept', { n }), { label: t('screen_puzzles'), run: () => show('puzzles', 'line') });
}

async function drill(side: 'X' | 'O'): Promise<void> {
  const drills = drillsOfLine(doc.tree.value, doc.path.value, side);
  await keepDrills(drills);
  kept(drills.length);
}

async function drillBook(side: 'X' | 'O'): Promise<void> {
  stopDigging?.abort();
  const own = new AbortController();
  stopDigging = own;
  digging.value = 1;
  try {
    const drills = await openings.drillsOfBook(doc.tree.value, doc.path.value, side, (n) => (digging.value = n), own.signal);
    await keepDrills(drills);
    if (drills.length === 0) toast(t('book_ends'));
    else kept(drills.length);
  } catch (error) {
    toast((error as Error).message);
  } finally {
    digging.value = 0;
  }
}

function Drills(): JSX.Element {
  const inBook = here.value?.book?.known ?? false;
  return (
    <details>
      <summary>{t('drill_openings')}</summary>
      <div class="stack">
        <div class="line-of-buttons">
          {(['X', 'O'] as const).map((side) => (
            <Button key={side} icon="hint" label={t(side === 'X' ? 'drill_black' : 'drill_white')} disabled={doc.path.value.length < 2} onClick={() => void drill(side)} />
          ))}
        </div>
        <div class="line-of-buttons">
          {(['X', 'O'] as const).map((side) => (
            <Button key={side} label={t(side === 'X' ? 'drill_book_black' : 'drill_book_white')} disabled={!inBook || digging.value > 0} onClick={() => void drillBook(side)} />
          ))}
        </div>
        {digging.value > 0 ? (
          <div class="progress" role="status">
            <span class="spinner" />
            {t('drills_found', { n: digging.value })}
            <Button icon="stop" label={t('stop')} onClick={() => stopDigging?.abort()} />
          </div>
        ) : (
          <p class="note">{t('drill_book_hint')}</p>
        )}
      </div>
    </details>
  );
}

/** What the book says of the position itself. */
function BookLine(): JSX.Element | null {
  const book = here.value?.book;
  if (!book?.known || typeof book.value !== 'number') return null;
  const black = doc.position.value.side === 'X' ? book.value : -book.value;
  const range = book.range?.map((value) => (doc.position.value.side === 'X' ? value : -value)).sort((a, b) => a - b);
  return (
    <p class="note">
      {t('book_says', { value: `${book.grade === 'A' ? '' : '≈'}${signed(black, 1)}`, grade: book.grade ?? '–' })}
      {range && book.grade !== 'A' && ` ${t('book_range', { low: signed(range[0]!, 1), high: signed(range[1]!, 1) })}`}
      {book.lines ? ` ${plural('book_lines', book.lines)}` : ''}
    </p>
  );
}

export function Explore(): JSX.Element {
  useEffect(() => {
    startCollections();
    openings.startOpenings();
  }, []);
  const missing = unknownCalls.value.has('explore');
  const othello = doc.game.value === 'othello';
  const name = opening.value ?? here.value?.opening;
  return (
    <div class="two">
      <Table showValues={analysis.on.value} {...(othello && { beside: onBoard.value })} />
      <section class="panel" aria-label={t('screen_explore')}>
        {!othello ? (
          <Empty title={t('explore_gomoku')} />
        ) : (
          <div class="stack">
            <Find />
            <div class="panel-head">
              <p class="opening" lang={openingLanguage(name)}>
                {openingText(name) || t(doc.path.value.length === 0 ? 'explore_start' : 'explore_nameless')}
              </p>
              <div class="tools">
                <Button icon={analysis.on.value ? 'stop' : 'play'} label={analysis.on.value ? t('stop') : t('show_engine_values')} disabled={doc.over.value} onClick={() => (analysis.on.value = !analysis.on.value)} />
              </div>
            </div>
            {openings.trouble.value && !missing && <p class="warning">{openings.trouble.value}</p>}
            {doc.over.value ? (
              <p class="note">{t('analyze_over')}</p>
            ) : doc.passes.value ? (
              <p class="note">{t('analyze_pass')}</p>
            ) : (
              <>
                <BookLine />
                {here.value && !here.value.book?.known && !missing && <p class="note">{t('book_ends')}</p>}
                <Rows />
              </>
            )}
            <Examples />
            <Drills />
            <GameFiles positions={library.value.size} />
            {missing && <p class="note">{t('explore_missing')}</p>}
          </div>
        )}
      </section>
    </div>
  );
}

