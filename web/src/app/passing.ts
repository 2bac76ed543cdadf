// Passes by itself after a while, for those who chose that.
import { effect } from '@preact/signals';
import { PASS } from '../model/rules';
import * as doc from './document';
import { humanMove, match, personToMove } from './match';
import { screen } from './route';
import { settings } from './settings';

export function startPassing(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    clearTimeout(timer);
    const mine = settings.value.autopass && screen.value === 'play' && match.value !== null && personToMove.value && doc.passes.value;
    void doc.path.value;
    if (mine) timer = setTimeout(() => humanMove(PASS), 1500);
  });
}
