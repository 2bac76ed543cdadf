// The moves of the game with all variations: rows of two for the main line, variations indented below the move they replace.
import { computed, useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n';
import * as doc from '../app/document';
import { review } from '../app/review';
import { moveName, PASS, type Position } from '../model/rules';
import { positionAt, type Node, type Path, type Tree } from '../model/tree';
import { Empty } from '../ui/ui';

/** Where one is, as a text that can be compared: only the moves that it comes to and leaves are drawn again. */
const place = computed(() => doc.path.value.join('.'));

const numberAt = (tree: Tree, path: Path): number => {
  const position: Position = positionAt(tree, path);
  const discs = [...position.cells].filter((cell) => cell !== '-').length;
  const first = [...tree.start.cells].filter((cell) => cell !== '-').length;
  return discs - first;
};

function Move({ tree, path, node, numbered }: { tree: Tree; path: Path; node: Node; numbered?: boolean }): JSX.Element {
  const own = path.join('.');
  const here = useComputed(() => place.value === own).value;
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (here) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [here]);
  const judged = path.every((step) => step === 0) ? review.value?.moves.get(path.length) : undefined;
  const glyph = node.glyph ?? judged?.mark ?? '';
  const name = node.move === PASS && tree.start.game === 'othello' ? t('pass') : moveName(tree.start, node.move);
  const side = positionAt(tree, path.slice(0, -1)).side;
  return (
    <button
      ref={ref}
      type="button"
      class={`move ${here ? 'here' : ''} ${glyph ? `glyph g${[...glyph].map((c) => (c === '!' ? 'e' : 'q')).join('')}` : ''}`}
      aria-current={here ? 'step' : undefined}
      onClick={() => doc.go(path)}
    >
      <span class="hidden">{`${numbered ? '' : numberAt(tree, path)} ${t(side === 'X' ? 'black' : 'white')} `}</span>
      {numbered && <span class="count">{numberAt(tree, path)}.</span>}
      <span class="name">{name}</span>
      {glyph && <span class="sign">{glyph}</span>}
      {judged && judged.loss >= 2 && (
        <span class="loss">
          <span class="hidden">{t('loses', { n: Math.round(judged.loss) })}</span>
          <span aria-hidden="true">−{Math.round(judged.loss)}</span>
        </span>
      )}
      {node.comment && <span class="has" aria-hidden="true" />}
    </button>
  );
}

/** A variation in running text, with its own variations in brackets. */
function Variation({ tree, path, node }: { tree: Tree; path: Path; node: Node }): JSX.Element {
  const parts: JSX.Element[] = [];
  let at = path;
  let now: Node | undefined = node;
  let first = true;
  // Moves beside the one of this line stand after it.
  let beside: JSX.Element[] = [];
  while (now) {
    parts.push(<Move key={at.join('.')} tree={tree} path={at} node={now} numbered={first || positionAt(tree, at.slice(0, -1)).side === 'X'} />);
    if (now.comment) parts.push(<span key={`c${at.join('.')}`} class="remark">{now.comment}</span>);
    parts.push(...beside);
    first = beside.length > 0;
    const next: Node | undefined = now.children[0];
    const from = at;
    beside = now.children.slice(1).map((child, i) => <Variation key={`v${from.join('.')}.${i + 1}`} tree={tree} path={[...from, i + 1]} node={child} />);
    at = [...at, 0];
    now = next;
  }
  return <div class="variation">{parts}</div>;
}

function Start(): JSX.Element {
  return (
    <button type="button" class={`move start ${place.value === '' ? 'here' : ''}`} onClick={() => doc.toStart()}>
      {t('start_position')}
    </button>
  );
}

export function Moves(): JSX.Element {
  const tree = doc.tree.value;
  if (tree.root.children.length === 0) return <Empty title={t('no_moves')}><p>{t('no_moves_hint')}</p></Empty>;
  const rows: JSX.Element[] = [];
  let cells: { side: string; element: JSX.Element }[] = [];
  let rowNumber = 0;
  const flush = (key: string): void => {
    if (cells.length === 0) return;
    const black = cells.find((cell) => cell.side === 'X');
    const white = cells.find((cell) => cell.side === 'O');
    rows.push(
      <div key={key} class="pair">
        <span class="count" aria-hidden="true">{rowNumber}</span>
        {black?.element ?? <span class="gap">…</span>}
        {white?.element ?? <span class="gap" />}
      </div>,
    );
    cells = [];
  };
  let path: Path = [];
  let node = tree.root;
  while (node.children.length > 0) {
    const { side } = positionAt(tree, path);
    const parent = node;
    const above = path;
    node = node.children[0]!;
    path = [...path, 0];
    if (cells.length > 0 && side === 'X') flush(`r${path.length}`);
    if (cells.length === 0) rowNumber = numberAt(tree, path);
    cells.push({ side, element: <Move key={path.length} tree={tree} path={path} node={node} /> });
    if (parent.children.length > 1 || node.comment) {
      flush(`r${path.length}`);
      if (node.comment) rows.push(<p key={`c${path.length}`} class="remark">{node.comment}</p>);
      for (let i = 1; i < parent.children.length; i += 1) {
        rows.push(<Variation key={`v${path.length}.${i}`} tree={tree} path={[...above, i]} node={parent.children[i]!} />);
      }
    } else if (side === 'O') flush(`r${path.length}`);
  }
  flush('end');
  return (
    <div class="moves">
      <Start />
      {tree.root.comment && <p class="remark">{tree.root.comment}</p>}
      {rows}
    </div>
  );
}
