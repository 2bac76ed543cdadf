// The name of the opening on the board.
import { effect, signal, untracked } from '@preact/signals';
import type { Opening } from '../engine/messages';
import { language } from '../i18n';
import * as doc from './document';
import { askAll, engineState } from './engine';
import { gameInput } from './wire';

export const opening = signal<Opening | null>(null);
const names = new Map<string, Opening | null>();

export function openingText(of: Opening | null | undefined): string {
  if (!of) return '';
  return (language.value === 'ja' ? (of.japanese ?? of.english) : (of.english ?? of.japanese)) ?? '';
}

/** The language of the words, where it is not that of the page. */
export function openingLanguage(of: Opening | null | undefined): 'ja' | undefined {
  return of && language.value !== 'ja' && !of.english && of.japanese ? 'ja' : undefined;
}

export function startNaming(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const tree = doc.tree.value;
    const path = doc.path.value;
    clearTimeout(timer);
    if (tree.start.game !== 'othello' || path.length === 0) {
      opening.value = null;
      return;
    }
    const { text } = gameInput(tree, path);
    const known = names.get(text);
    if (known !== undefined) {
      opening.value = known;
      return;
    }
    if (engineState.value !== 'ready') return;
    timer = setTimeout(() => {
      void untracked(async () => {
        try {
          const [seen] = await askAll('show', { input: { text } });
          const found = seen && 'opening' in seen ? (seen.opening ?? null) : null;
          names.set(text, found);
          if (doc.path.value === path) opening.value = found;
        } catch {
          // A name is no more than an ornament.
        }
      });
    }, 80);
  });
}
