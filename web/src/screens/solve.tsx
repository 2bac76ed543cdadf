// Many endgames: a table that fills up, that can be paused, and goes on after the page was closed.
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { number, plural, signed, t } from '../i18n';
import { toast } from '../app/announce';
import * as doc from '../app/document';
import { ask, askAll } from '../app/engine';
import { store } from '../app/keep';
import { show as go } from '../app/route';
import type { Answer } from '../engine/messages';
import { newTree } from '../model/tree';
import { Button, Empty, Select, Switch } from '../ui/ui';
import { download } from '../ui/files';

interface Item {
  id: string;
  /** What the user gave: with the score that it carries, if it does. */
  text: string;
  board: string;
  side: 'X' | 'O';
  empties: number;
  state: 'waiting' | 'running' | 'done' | 'stopped' | 'failed';
  answer: Answer | null;
  trouble?: string;
}

const items = signal<readonly Item[]>([]);
const running = signal(false);
const text = signal('');
const wld = signal(false);
const allMoves = signal(false);
const seconds = signal('none');
const KEY = 'solve';
let stop: AbortController | null = null;
let loaded = false;

const put = (i: number, change: Partial<Item>): void => {
  items.value = items.value.with(i, { ...items.value[i]!, ...change });
};

const keep = (): void => void store.value?.write(KEY, { items: items.value, wld: wld.value, allMoves: allMoves.value, seconds: seconds.value });

async function load(): Promise<void> {
  if (loaded || !store.value) return;
  loaded = true;
  const kept = await store.value.read<{ items: Item[]; wld: boolean; allMoves: boolean; seconds: string }>(KEY);
  if (!kept || items.value.length > 0) return;
  items.value = kept.items.map((item) => (item.state === 'running' ? { ...item, state: 'waiting' } : item));
  wld.value = kept.wld;
  allMoves.value = kept.allMoves;
  seconds.value = kept.seconds;
}

async function add(source: string): Promise<void> {
  const lines = source.split(/\r?\n/);
  try {
    const seen = await askAll('show', { input: { text: source } });
    const found = seen.flatMap((event, i): Item[] => {
      if (!('board' in event) || event.over) return [];
      const line = event.line ? lines[event.line - 1] : undefined;
      const full = `${event.board} ${event.side}`;
      return [{ id: String(items.value.length + i + 1), text: line?.includes(event.board) ? line : full, board: event.board, side: event.side as 'X' | 'O', empties: event.empties, state: 'waiting', answer: null }];
    });
    items.value = [...items.value, ...found];
    if (found.length === 0) toast(t('nothing_readable'));
    else text.value = '';
    keep();
  } catch (error) {
    toast((error as Error).message);
  }
}

async function run(): Promise<void> {
  running.value = true;
  const own = new AbortController();
  stop = own;
  for (let i = 0; i < items.value.length && !own.signal.aborted; i += 1) {
    const item = items.value[i]!;
    if (item.state === 'done' || item.state === 'failed') continue;
    put(i, { state: 'running' });
    try {
      await ask(
        'solve',
        { input: { text: item.text }, wld: wld.value, all_moves: allMoves.value, ...(seconds.value !== 'none' && { seconds: Number(seconds.value) }) },
        (event) => {
          if (!('board' in event)) return;
          put(i, { answer: event, state: event.kind === 'aborted' ? 'stopped' : 'done' });
          keep();
        },
        own.signal,
      );
      if (items.value[i]?.state === 'running') put(i, { state: own.signal.aborted ? 'waiting' : 'stopped' });
    } catch (error) {
      put(i, { state: 'failed', trouble: (error as Error).message });
    }
    keep();
  }
  running.value = false;
}

const COLUMNS = ['id', 'board', 'side', 'empties', 'kind', 'value', 'best', 'nodes', 'seconds', 'expected'] as const;

function csv(): string {
  const rows = items.value.map(({ id, board, side, empties, answer }) =>
    [id, board, side, empties, answer?.kind ?? '', answer?.value ?? '', answer?.best.join(' ') ?? '', answer?.nodes ?? '', answer?.seconds ?? '', answer?.expected ?? ''].join(','),
  );
  return [COLUMNS.join(','), ...rows].join('\n') + '\n';
}

const obf = (): string =>
  items.value
    .map(({ board, side, answer }) => `${board} ${side};${answer && typeof answer.value === 'number' ? answer.best.map((move) => ` ${move}:${signed(answer.value!).replace('−', '-')};`).join('') : ''}`)
    .join('\n') + '\n';

function valueText(answer: Answer): string {
  if (typeof answer.value !== 'number') return '…';
  if (answer.kind === 'wld') return answer.value > 0 ? t('short_win') : answer.value < 0 ? t('short_loss') : t('short_draw');
  return signed(answer.value);
}

function Row({ item }: { item: Item }): JSX.Element {
  const { answer } = item;
  return (
    <tr class={item.state}>
      <th scope="row">
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            doc.replace(newTree({ game: 'othello', cells: item.board, side: item.side }));
            go('analyze');
          }}
        >
          {item.id}
        </button>
      </th>
      <td>{item.empties}</td>
      <td>
        {t(`solve_${item.state}` as 'solve_waiting')}
        {item.trouble && <small class="warning">{item.trouble}</small>}
      </td>
      <td>
        {answer && <b>{valueText(answer)}</b>}
        {answer?.ok === false && <small class="warning"> {t('expected_other', { n: signed(answer.expected ?? 0) })}</small>}
        {answer?.ok === true && <small> {t('as_expected')}</small>}
      </td>
      <td>{answer?.best.join(' ')}</td>
      <td>{answer ? number(answer.nodes) : ''}</td>
      <td>{answer && typeof answer.seconds === 'number' ? number(answer.seconds, 2) : ''}</td>
    </tr>
  );
}

const SAMPLE = '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;';

export function Solve(): JSX.Element {
  const dragged = useSignal(false);
  useEffect(() => void load(), [store.value]);
  const all = items.value;
  const done = all.filter((item) => item.state === 'done').length;
  const long = all.filter((item) => item.state === 'waiting' && item.empties > 24).length;
  return (
    <div class="page wide-page">
      <h1>{t('screen_solve')}</h1>
      <p class="lead-text">{t('solve_lead')}</p>
      <form
        class={dragged.value ? 'stack card drop' : 'stack card'}
        onDragOver={(event) => {
          event.preventDefault();
          dragged.value = true;
        }}
        onDragLeave={() => (dragged.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          event.stopPropagation();
          dragged.value = false;
          const [file] = event.dataTransfer?.files ?? [];
          if (file) void file.text().then(add);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void add(text.value);
        }}
      >
        <label class="field tall">
          <span class="words">{t('solve_positions')}</span>
          <textarea rows={3} class="mono" spellcheck={false} value={text.value} placeholder={SAMPLE} onInput={(event) => (text.value = event.currentTarget.value)} />
        </label>
        <div class="line-of-buttons">
          <button type="submit" class="button main" disabled={!text.value.trim()}>
            {t('add')}
          </button>
          <Button label={t('add_this_position')} disabled={doc.game.value !== 'othello'} onClick={() => void add(`${doc.position.value.cells} ${doc.position.value.side}`)} />
        </div>
      </form>
      {all.length === 0 ? (
        <Empty title={t('solve_empty')}>
          <p>{t('solve_empty_hint')}</p>
          <Button label={t('solve_sample')} onClick={() => void add(SAMPLE)} />
        </Empty>
      ) : (
        <div class="stack">
          <div class="line-of-fields">
            <Select label={t('time_a_position')} value={seconds.value} choices={[{ value: 'none', label: t('no_limit') }, ...[5, 30, 120].map((n) => ({ value: String(n), label: t('seconds_n', { n }) }))]} onChange={(value) => (seconds.value = value)} />
            <Switch label={t('only_wld')} checked={wld.value} onChange={(on) => (wld.value = on)} />
            <Switch label={t('all_best')} checked={allMoves.value} onChange={(on) => (allMoves.value = on)} />
          </div>
          {long > 0 && <p class="warning">{plural('solve_long', long)}</p>}
          <div class="line-of-buttons">
            {running.value ? <Button kind="main" icon="pause" label={t('pause')} onClick={() => stop?.abort()} /> : <Button kind="main" icon="play" label={done > 0 ? t('go_on') : t('solve_all')} disabled={done === all.length} onClick={() => void run()} />}
            <Button label="CSV" onClick={() => download('endgames.csv', csv(), 'text/csv')} />
            <Button label="OBF" onClick={() => download('endgames.obf', obf(), 'text/plain')} />
            <Button label="JSON" onClick={() => download('endgames.jsonl', all.flatMap(({ answer }) => (answer ? [JSON.stringify(answer)] : [])).join('\n') + '\n', 'application/json')} />
            <Button
              icon="trash"
              kind="danger"
              label={t('clear')}
              disabled={running.value}
              onClick={() => {
                const was = items.value;
                items.value = [];
                keep();
                toast(t('deleted'), { label: t('undo'), run: () => ((items.value = was), keep()) });
              }}
            />
          </div>
          <p class="note" role="status">
            {t('solve_progress', { done, total: all.length })}
          </p>
          <div class="scroll">
            <table class="figures solve">
              <thead>
                <tr>
                  <th scope="col">{t('position')}</th>
                  <th scope="col">{t('empty_squares')}</th>
                  <th scope="col">{t('state')}</th>
                  <th scope="col">{t('value')}</th>
                  <th scope="col">{t('best_moves')}</th>
                  <th scope="col">{t('nodes')}</th>
                  <th scope="col">{t('seconds')}</th>
                </tr>
              </thead>
              <tbody>
                {all.map((item) => (
                  <Row key={item.id} item={item} />
                ))}
              </tbody>
            </table>
          </div>
        </div>
      )}
    </div>
  );
}
