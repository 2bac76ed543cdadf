// The sheets over the page: paste, export, position editor, saving, keys, menu.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { plural, t, type Key } from '../i18n';
import { editing, pasted } from '../app/dialogs';
import * as doc from '../app/document';
import { toast } from '../app/announce';
import { askAll, unknownCalls } from '../app/engine';
import { defaultName, keepCurrent, refresh, save, store } from '../app/keep';
import { openingText } from '../app/naming';
import { show } from '../app/route';
import { match } from '../app/match';
import { settings } from '../app/settings';
import type { PositionObject, TreeObject } from '../engine/messages';
import { Board } from '../board/board';
import { Export } from './export';
import { ScoreSheet } from './sheet';
import { readGame } from '../model/link';
import { count, isOver, mustPass, parseSquare, squares } from '../model/othello';
import { gomokuStart, OTHELLO_START, parseMove, type Position, type Side } from '../model/rules';
import { annotate, insertLine, mainFrom, newTree, nodeAt, type Mark, type Path, type Tree } from '../model/tree';
import { Button, Choose, Dialog } from '../ui/ui';
import { readSgf } from '../ui/sgf';

const close = (): void => {
  editing.value = null;
  pasted.value = null;
};

interface Read {
  tree: Tree;
  name: string;
  chosen: boolean;
}

/** What the engine read, as trees of our own. */
function treeOf(seen: PositionObject): Tree {
  const start: Position = seen.start ? { game: 'othello', cells: seen.start.slice(0, 64), side: seen.start.trim().at(-1) as Side } : OTHELLO_START;
  if (!seen.moves) return newTree({ game: 'othello', cells: seen.board, side: seen.side as Side });
  return insertLine(newTree(start), [], seen.moves.flatMap((name) => parseSquare(name) ?? [])).tree;
}

/** A record with variations, comments and marks. */
function treeWithAll(seen: TreeObject): Tree {
  const [first] = seen.nodes;
  const side = (first?.side ?? 'X') as Side;
  const start: Position = first ? { game: 'othello', cells: first.board, side } : OTHELLO_START;
  let tree = newTree(start.cells === OTHELLO_START.cells && side === 'X' ? OTHELLO_START : start, tagsOf(seen.tags));
  const paths: Path[] = [];
  seen.nodes.forEach((node, i) => {
    let path = paths[node.parent ?? 0] ?? [];
    if (i > 0 && node.move) {
      const move = parseSquare(node.move);
      const next = move === null ? null : insertLine(tree, path, [move]);
      if (next?.done) ({ tree, path } = next);
    }
    paths.push(path);
    const shapes = Object.entries(node.marks ?? {}).flatMap(([shape, at]) =>
      at.flatMap((name): Mark[] => (SHAPES.includes(shape) && parseSquare(name) !== null ? [{ at: parseSquare(name)!, shape: shape as Mark['shape'] }] : [])),
    );
    const letters = Object.entries(node.labels ?? {}).flatMap(([name, text]): Mark[] => (parseSquare(name) === null ? [] : [{ at: parseSquare(name)!, shape: 'letter', text: text.slice(0, 3) }]));
    // A node that only says something belongs to the position before it.
    const comment = [i > 0 && !node.move ? nodeAt(tree, path).comment : '', node.comment].filter(Boolean).join('\n');
    if (comment || node.sign || shapes.length + letters.length > 0) tree = annotate(tree, path, { comment, glyph: node.sign ?? '', marks: [...shapes, ...letters] });
  });
  return tree;
}

const SHAPES: readonly string[] = ['circle', 'triangle', 'square', 'cross'];
const TAGS: Record<string, string> = { PB: 'Black', PW: 'White', EV: 'Event', DT: 'Date', RE: 'Result' };
const tagsOf = (tags: readonly (readonly [string, string])[]): Record<string, string> => Object.fromEntries(tags.flatMap(([key, value]) => (TAGS[key] && value ? [[TAGS[key], value]] : [])));

/** Games with variations where the text has them, else positions and main lines. */
async function readAll(source: string): Promise<Read[]> {
  if (/\(\s*;/.test(source) && !unknownCalls.value.has('tree')) {
    try {
      const seen = await askAll('tree', { input: { text: source } });
      if (seen.length > 0) {
        return seen.map((event) => {
          const tree = treeWithAll(event);
          const { Black, White } = tree.tags;
          return { tree, name: [Black || White ? `${Black ?? '?'} – ${White ?? '?'}` : '', plural('plies', mainFrom(tree, []).length)].filter(Boolean).join(' · '), chosen: true };
        });
      }
    } catch {
      // Other forms may begin like that; `show` says what is wrong with them.
    }
  }
  const linked = inAddress(source);
  if (linked) return [{ tree: linked, name: plural('plies', mainFrom(linked, []).length), chosen: true }];
  const seen = await askAll('show', { input: { text: source } });
  return seen.flatMap((event) => {
    if (!('board' in event)) return [];
    const name = [event.moves ? plural('plies', event.moves.length) : t('position'), openingText(event.opening)].filter(Boolean).join(' · ');
    return [{ tree: treeOf(event), name, chosen: true }];
  });
}

/** A game in an address of another page; nothing is fetched from there. */
function inAddress(source: string): Tree | null {
  for (const [address] of source.matchAll(/https?:\/\/\S+/gi)) {
    for (const [moves] of address.matchAll(/(?:[a-h][1-8]){8,}/gi)) {
      const { tree, problems } = readGame(moves.toLowerCase());
      if (problems.length === 0) return tree;
    }
  }
  return null;
}

const MOST_TEXT = 1 << 20;

function Paste(): JSX.Element {
  const text = useSignal(pasted.value?.text ?? '');
  const found = useSignal<readonly Read[]>([]);
  const trouble = useSignal('');
  const busy = useSignal(false);

  const read = async (source: string): Promise<void> => {
    found.value = [];
    trouble.value = '';
    if (!source.trim()) return;
    if (source.length > MOST_TEXT) {
      trouble.value = t('too_large');
      return;
    }
    busy.value = true;
    // A link of this page needs no engine.
    const hash = /#\/\w+\/(\S+)/.exec(source);
    if (hash) {
      busy.value = false;
      close();
      location.hash = source.trim().slice(source.trim().indexOf('#'));
      return;
    }
    try {
      const record = readSgf(source, settings.value.rule);
      if (record) found.value = [{ tree: record, name: plural('plies', mainFrom(record, []).length), chosen: true }];
      else if (doc.game.value === 'gomoku') {
        const start = gomokuStart(settings.value.size, settings.value.rule);
        const names = source.match(/[a-t](?:1\d|20|\d)/gi) ?? [];
        const line = insertLine(newTree(start), [], names.flatMap((name) => parseMove(start, name) ?? []));
        if (line.done > 0) found.value = [{ tree: line.tree, name: plural('plies', line.done), chosen: true }];
        else trouble.value = t('nothing_readable');
      } else {
        found.value = await readAll(source);
        if (found.value.length === 0) trouble.value = t('nothing_readable');
      }
    } catch (error) {
      // What can be played from the beginning is still worth having.
      const legal = readGame(source.replaceAll(/[^a-h1-8]/gi, '').toLowerCase());
      const moves = mainFrom(legal.tree, []).length;
      trouble.value = (error as Error).message;
      if (moves >= 4) found.value = [{ tree: legal.tree, name: t('legal_beginning', { n: moves }), chosen: true }];
    } finally {
      busy.value = false;
    }
  };

  useEffect(() => {
    if (pasted.value) void read(pasted.value.text);
  }, []);

  const openIt = async (): Promise<void> => {
    const chosen = found.value.filter((each) => each.chosen);
    const [first] = chosen;
    if (!first) return;
    await keepCurrent();
    if (chosen.length > 1) {
      for (const each of chosen) await save(each.tree, null, '');
      await refresh();
      toast(plural('imported', chosen.length));
    }
    match.value = null;
    doc.replace(first.tree);
    close();
    show('analyze');
  };

  return (
    <Dialog title={t('paste_title')} onClose={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (found.value.length > 0) void openIt();
          else void read(text.value);
        }}
      >
        <label class="field tall">
          <span class="words">{t('paste_label')}</span>
          <textarea
            class="mono"
            rows={6}
            spellcheck={false}
            value={text.value}
            placeholder="f5d6c3d3c4…"
            onInput={(event) => {
              text.value = event.currentTarget.value;
              found.value = [];
              trouble.value = '';
            }}
          />
        </label>
        <p class="note">{t('paste_formats')}</p>
        {trouble.value && <p class="warning">{trouble.value}</p>}
        {found.value.length > 0 && (
          <ul class="found">
            {found.value.slice(0, 100).map((each, i) => (
              <li key={i}>
                <label>
                  <input type="checkbox" checked={each.chosen} onChange={(event) => (found.value = found.value.with(i, { ...each, chosen: event.currentTarget.checked }))} /> {i + 1}. {each.name}
                </label>
              </li>
            ))}
          </ul>
        )}
        <div class="line-of-buttons end">
          {doc.game.value === 'othello' && <Button label={t('sheet_title')} onClick={() => ((pasted.value = null), (editing.value = 'sheet'))} />}
          <label class="button plain file">
            {t('choose_file')}
            <input
              type="file"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (!file) return;
                if (file.size > MOST_TEXT) trouble.value = t('too_large');
                else
                  void file.text().then((content) => {
                    text.value = content;
                    void read(content);
                  });
              }}
            />
          </label>
          <button type="submit" class="button main" disabled={busy.value || !text.value.trim()}>
            {found.value.length > 0 ? t('open_found') : t('read_it')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Editor(): JSX.Element {
  const from = doc.position.value;
  const cells = useSignal(from.game === 'othello' ? from.cells : OTHELLO_START.cells);
  const side = useSignal<Side>(from.side);
  const brush = useSignal<'X' | 'O' | '-'>('X');
  const position: Position = { game: 'othello', cells: cells.value, side: side.value };
  const { black, white } = count(cells.value);
  const warnings = [
    ...(black + white < 4 ? [t('odd_few')] : []),
    ...(['d4', 'e4', 'd5', 'e5'].some((name) => cells.value[parseSquare(name)!] === '-') ? [t('odd_center')] : []),
    ...(isOver(position) ? [t('odd_over')] : mustPass(position) ? [t('odd_pass')] : []),
  ];
  return (
    <Dialog title={t('position_editor')} onClose={close}>
      <div class="stack editor">
        <Choose
          label={t('paint_with')}
          value={brush.value}
          choices={[
            { value: 'X', label: t('black') },
            { value: 'O', label: t('white') },
            { value: '-', label: t('empty') },
          ]}
          onChange={(value) => (brush.value = value)}
        />
        <Board
          position={position}
          legal={squares(position)}
          dots
          onSquare={(square) => {
            const now = cells.value[square] === brush.value ? '-' : brush.value;
            cells.value = cells.value.slice(0, square) + now + cells.value.slice(square + 1);
          }}
        />
        <Choose
          label={t('to_move')}
          value={side.value}
          choices={[
            { value: 'X', label: t('black') },
            { value: 'O', label: t('white') },
          ]}
          onChange={(value) => (side.value = value)}
        />
        <p class="note" role="status">
          {t('discs_counted', { black, white })} {warnings.join(' ')}
        </p>
        <div class="line-of-buttons end">
          <Button label={t('clear_board')} onClick={() => (cells.value = '-'.repeat(64))} />
          <Button label={t('start_position')} onClick={() => ((cells.value = OTHELLO_START.cells), (side.value = 'X'))} />
          <Button
            kind="main"
            label={t('use_position')}
            onClick={() => {
              match.value = null;
              doc.replace(newTree(position));
              close();
              show('analyze');
            }}
          />
        </div>
      </div>
    </Dialog>
  );
}

function Save(): JSX.Element {
  const name = useSignal(defaultName(doc.tree.value));
  const labels = useSignal('');
  useEffect(() => {
    const id = doc.record.value;
    if (id) void store.value?.get(id).then((old) => old && ((name.value = old.name), (labels.value = old.labels.join(' '))));
  }, []);
  const saveIt = async (asNew: boolean): Promise<void> => {
    const id = await save(doc.tree.value, asNew ? null : doc.record.value, name.value, labels.value.split(/[\s,#]+/).filter(Boolean));
    doc.setRecord(id);
    toast(t('saved'));
    close();
  };
  return (
    <Dialog title={t('save_library')} onClose={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void saveIt(false);
        }}
      >
        {!store.value && <p class="warning">{t('no_storage')}</p>}
        <label class="field tall">
          <span class="words">{t('name')}</span>
          <input type="text" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </label>
        <label class="field tall">
          <span class="words">{t('labels')}</span>
          <input type="text" value={labels.value} onInput={(event) => (labels.value = event.currentTarget.value)} />
        </label>
        <div class="line-of-buttons end">
          {doc.record.value && <Button label={t('save_as_new')} onClick={() => void saveIt(true)} />}
          <button type="submit" class="button main" disabled={!store.value}>
            {t('save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const KEYS: readonly [string, Key][] = [
  ['← →', 'key_step'],
  ['↑ ↓', 'key_branch'],
  ['Home End', 'key_ends'],
  ['Enter', 'key_enter'],
  ['/', 'key_entry'],
  ['H', 'key_hint'],
  ['Space', 'key_best'],
  ['E', 'key_engine'],
  ['U  R', 'key_undo'],
  ['F', 'key_flip'],
  ['G', 'key_graph'],
  ['P  Ctrl+V', 'key_paste'],
  ['?', 'key_help'],
];

function Keys(): JSX.Element {
  return (
    <Dialog title={t('all_keys')} onClose={close}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
      </dl>
      <p class="note">{t('entry_commands')}</p>
    </Dialog>
  );
}

export function Dialogs({ menu }: { menu: () => JSX.Element }): JSX.Element | null {
  switch (editing.value) {
    case 'paste':
      return <Paste />;
    case 'export':
      return <Export />;
    case 'board':
      return <Editor />;
    case 'sheet':
      return <ScoreSheet />;
    case 'save':
      return <Save />;
    case 'keys':
      return <Keys />;
    case 'menu':
      return (
        <Dialog title={t('menu')} onClose={close}>
          {menu()}
        </Dialog>
      );
    default:
      return null;
  }
}

