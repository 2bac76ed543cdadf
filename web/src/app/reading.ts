// Reads the best move aloud while a search runs, for those who chose that; never so often that it talks over the reader.
import { effect } from '@preact/signals';
import { moveName } from '../model/rules';
import { inWords } from '../model/worth';
import { lines, searching } from './analysis';
import { announce } from './announce';
import * as doc from './document';
import { settings } from './settings';

const PAUSE = 3000;

export function startReading(): void {
  let said = '';
  let at = 0;
  effect(() => {
    const [best] = lines.value;
    void searching.value;
    if (!settings.value.announce || !best) return;
    const text = `${moveName(doc.position.peek(), best.move)}, ${inWords(best, doc.game.peek())}`;
    if (text === said || Date.now() - at < PAUSE) return;
    said = text;
    at = Date.now();
    announce(text);
  });
}
