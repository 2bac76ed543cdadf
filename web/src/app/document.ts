// The game on the board: one tree for each game, where one is in it, and every change that can be undone.
import { batch, computed, signal } from '@preact/signals';
import { flips } from '../model/othello';
import { gomokuStart, isOver, moves, mustPass, OTHELLO_START, PASS, type Game } from '../model/rules';
import * as trees from '../model/tree';
import type { Path, Tree } from '../model/tree';
import { settings } from './settings';

interface Version {
  readonly tree: Tree;
  readonly path: Path;
}

interface Kept extends Version {
  readonly back: readonly Version[];
  readonly forth: readonly Version[];
  /** The record of the library that this is, if it is one. */
  readonly record: string | null;
}

const MOST_VERSIONS = 200;

const fresh = (tree: Tree, path: Path = [], record: string | null = null): Kept => ({ tree, path, back: [], forth: [], record });

const emptyTree = (game: Game): Tree =>
  trees.newTree(game === 'othello' ? OTHELLO_START : gomokuStart(settings.value.size, settings.value.rule));

export const game = signal<Game>('othello');
const documents = { othello: signal(fresh(emptyTree('othello'))), gomoku: signal(fresh(emptyTree('gomoku'))) };
const current = computed(() => documents[game.value].value);

export const tree = computed(() => current.value.tree);
export const path = computed(() => current.value.path);
export const record = computed(() => current.value.record);
export const node = computed(() => trees.nodeAt(tree.value, path.value));
export const position = computed(() => trees.positionAt(tree.value, path.value));
export const before = computed(() => (path.value.length > 0 ? trees.positionAt(tree.value, path.value.slice(0, -1)) : null));
export const legal = computed(() => moves(position.value));
export const over = computed(() => isOver(position.value));
export const passes = computed(() => mustPass(position.value));
export const canUndo = computed(() => current.value.back.length > 0);
export const canRedo = computed(() => current.value.forth.length > 0);
export const lastMove = computed(() => (path.value.length > 0 ? node.value.move : null));

/** The discs that the last move turned. */
export const turned = computed(() => {
  const { value } = before;
  const move = lastMove.value;
  return value?.game === 'othello' && move !== null && move !== PASS ? flips(value, move) : [];
});

/** Where a walk forward goes: the child last visited, by node. */
const visited = new WeakMap<trees.Node, number>();

function put(next: Partial<Kept>): void {
  const all = { ...current.value, ...next };
  documents[all.tree.start.game].value = all;
}

/** Replaces tree and place, so that undo comes back to what was. */
export function edit(next: Version): void {
  if (next.tree === current.value.tree) {
    go(next.path);
    return;
  }
  const { tree: was, path: at, back } = current.value;
  put({ tree: next.tree, path: next.path, back: [...back.slice(1 - MOST_VERSIONS), { tree: was, path: at }], forth: [] });
  remember(next.path);
}

function remember(to: Path): void {
  const nodes = trees.nodesOn(tree.value, to);
  to.forEach((step, i) => visited.set(nodes[i]!, step));
}

export function go(to: Path): void {
  const there = to.slice(0, trees.nodesOn(tree.value, to).length - 1);
  put({ path: there });
  remember(there);
}

export function open(next: Tree, at: Path = trees.mainFrom(next, []), from: string | null = null): void {
  batch(() => {
    game.value = next.start.game;
    documents[game.value].value = fresh(next, at, from);
  });
}

/** Opens a game so that undo brings back the one before it. */
export function replace(next: Tree, at: Path = trees.mainFrom(next, [])): void {
  if (next.start.game !== game.value) game.value = next.start.game;
  const { tree: was, path: where, back } = current.value;
  documents[game.value].value = { tree: next, path: at, record: null, back: [...back, { tree: was, path: where }], forth: [] };
}

export function setRecord(id: string | null): void {
  put({ record: id });
}

export const newGame = (which: Game = game.value): void => replace(emptyTree(which), []);

/** Plays a move here: follows it, or begins a variation. */
export function playMove(move: number): boolean {
  const next = trees.insert(tree.value, path.value, move);
  if (!next) return false;
  edit(next);
  return true;
}

export function undo(): void {
  const { back, forth, tree: is, path: at } = current.value;
  const last = back.at(-1);
  if (last) put({ ...last, back: back.slice(0, -1), forth: [...forth, { tree: is, path: at }] });
}

export function redo(): void {
  const { back, forth, tree: is, path: at } = current.value;
  const next = forth.at(-1);
  if (next) put({ ...next, forth: forth.slice(0, -1), back: [...back, { tree: is, path: at }] });
}

export const stepBack = (): void => go(path.value.slice(0, -1));
export const toStart = (): void => go([]);

export function stepForward(): void {
  const { children } = node.value;
  if (children.length === 0) return;
  const child = visited.get(node.value) ?? 0;
  go([...path.value, child < children.length ? child : 0]);
}

export function toEnd(): void {
  for (let left = 500; node.value.children.length > 0 && left > 0; left -= 1) stepForward();
}

/** Chooses another of the moves beside the one that was played last. */
export function sibling(by: number): void {
  const step = path.value.at(-1);
  if (step === undefined) return;
  const beside = trees.nodeAt(tree.value, path.value.slice(0, -1)).children.length;
  go([...path.value.slice(0, -1), (step + by + beside) % beside]);
}
