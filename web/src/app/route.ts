// The address bar: what it says is on the page, and what is on the page it says.
import { effect, signal, untracked } from '@preact/signals';
import { readLink, writeLink, type Screen } from '../model/link';
import * as trees from '../model/tree';
import * as doc from './document';
import { keepCurrent } from './keep';
import { match } from './match';
import { announce } from './announce';
import { t } from '../i18n';

export const screen = signal<Screen>('play');
export const argument = signal('');
export const options = signal<Readonly<Record<string, string>>>({});
export const flipped = signal(false);
/** What a link held that could not be read. */
export const problems = signal<readonly string[]>([]);

let written = '';
/** Longer addresses are cut off by some programs. */
const MOST_ADDRESS = 8000;

export async function follow(fragment: string): Promise<void> {
  const link = await readLink(fragment);
  problems.value = link.problems;
  if (link.tree) {
    const same = JSON.stringify([link.tree.start, link.tree.root]) === JSON.stringify([doc.tree.value.start, doc.tree.value.root]);
    if (same && link.tree.start.game === doc.game.value) doc.go(link.path);
    else if (link.problems.length === 0 || trees.countNodes(link.tree.root) > 1) {
      // A link never costs the game in progress: that goes to the library first.
      await keepCurrent();
      match.value = null;
      doc.open(link.tree, link.path);
    }
  }
  screen.value = link.screen;
  argument.value = link.argument;
  flipped.value = 'flip' in link.options;
  options.value = link.options;
  if (link.problems.length > 0) announce(t('link_problem', { text: link.problems.join(', ') }));
}

export function show(to: Screen, what = ''): void {
  screen.value = to;
  argument.value = what;
}

export const currentLink = (to: Screen = screen.value): Promise<string> =>
  writeLink({
    screen: to,
    tree: to === 'puzzles' || to === 'library' || to === 'settings' ? null : doc.tree.value,
    path: doc.path.value,
    argument: argument.value,
    options: flipped.value ? { flip: '' } : {},
  });

/**
 * Milliseconds without a step through the game after which the address says where one is; a browser reads the page's icon
 * again each time. A new move, game or screen is written at once.
 */
const REST = 200;

export function startRoute(): void {
  let lastScreen = screen.value;
  let lastRoot: unknown = doc.tree.value.start;
  let lastTree: unknown = doc.tree.value;
  let turn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = async (to: Screen, left: Screen | null): Promise<void> => {
    const mine = ++turn;
    // The entry that is left must say where one was.
    const before = left && (await currentLink(left));
    const text = await currentLink(to);
    if (mine !== turn || text === written) return;
    if (before && before.length <= MOST_ADDRESS) history.replaceState(null, '', before);
    // Steps within a game replace the entry; another screen or game is a new one.
    const root = doc.tree.value.start;
    const push = written !== '' && (to !== lastScreen || root !== lastRoot);
    lastScreen = to;
    lastRoot = root;
    written = text;
    if (text.length > MOST_ADDRESS) return;
    if (push) history.pushState(null, '', text);
    else history.replaceState(null, '', text);
  };
  effect(() => {
    void doc.path.value;
    void argument.value;
    void flipped.value;
    const to = screen.value;
    const tree = doc.tree.value;
    const isStep = tree === lastTree && to === lastScreen && written !== '';
    lastTree = tree;
    const left = timer !== undefined && to !== lastScreen ? lastScreen : null;
    clearTimeout(timer);
    timer = undefined;
    if (!isStep) untracked(() => void write(to, left));
    else
      timer = setTimeout(() => {
        timer = undefined;
        void write(to, null);
      }, REST);
  });
  const arrive = (): void => {
    if (location.hash === written) return;
    // What waited to be written belongs to the entry that was left.
    clearTimeout(timer);
    timer = undefined;
    turn += 1;
    written = location.hash;
    void follow(location.hash);
  };
  window.addEventListener('hashchange', arrive);
  window.addEventListener('popstate', arrive);
}
