import { describe, expect, test } from 'vitest';
import { packBoard, readGame, readLink, readPlace, SCREENS, writeGame, writeLink, writePlace } from '../../src/model/link';
import { gomokuStart, type Position } from '../../src/model/rules';
import { movesTo, nodesOn, positionAt } from '../../src/model/tree';
import { generator, randomPath, randomTree, withNotes } from './random';

describe('links', () => {
  test('10,000 trees come back from their links as they were', { timeout: 300_000 }, async () => {
    const random = generator(1);
    for (let i = 0; i < 10_000; i += 1) {
      let start: Position | undefined;
      if (i % 5 === 3) {
        const other = randomTree(random, undefined, 10);
        start = positionAt(other, randomPath(other, random));
      } else if (i % 5 === 4) start = gomokuStart(5 + random(16), (['freestyle', 'standard', 'renju', 'caro'] as const)[random(4)]!);
      let tree = randomTree(random, start, 1 + random(i % 10 === 0 ? 60 : 12));
      if (i % 3 === 0) tree = withNotes(tree, random);
      const path = randomPath(tree, random);
      const text = await writeLink({ screen: SCREENS[random(4)]!, tree, path });
      const link = await readLink(text);
      expect(link.problems, text).toEqual([]);
      expect(link.tree, text).toEqual(tree);
      expect(link.path, text).toEqual(path);
    }
  });

  test('a place in the tree and its text', () => {
    const random = generator(2);
    for (let i = 0; i < 500; i += 1) {
      const tree = randomTree(random);
      const path = randomPath(tree, random);
      expect(readPlace(writePlace(path))).toEqual(path);
    }
    expect(writePlace([0, 0, 1, 0])).toBe('2.1.2');
  });

  test('damaged links never throw, and keep a legal beginning', { timeout: 300_000 }, async () => {
    const random = generator(4);
    for (let i = 0; i < 1000; i += 1) {
      const tree = withNotes(randomTree(random), random);
      let text = await writeLink({ screen: 'analyze', tree, path: randomPath(tree, random) });
      for (let hits = 1 + random(3); hits > 0; hits -= 1) {
        const at = random(text.length);
        const kind = random(3);
        if (kind === 0) text = text.slice(0, at);
        else if (kind === 1) text = text.slice(0, at) + String.fromCharCode(32 + random(95)) + text.slice(at + 1);
        else text = text.slice(0, at) + text.slice(random(text.length));
      }
      const link = await readLink(text);
      expect(SCREENS).toContain(link.screen);
      if (link.tree) expect(nodesOn(link.tree, link.path)).toHaveLength(link.path.length + 1);
    }
    const cut = readGame('f5d6c3xyz');
    expect(movesTo(cut.tree, [0, 0, 0])).toHaveLength(3);
    expect(cut.problems).toEqual(['xyz']);
  });

  test('notes that unpack to more than a megabyte are refused', async () => {
    const stream = new Blob([`{"n":[["0","","${'x'.repeat(3_000_000)}"]]}`]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const packed = Buffer.from(bytes).toString('base64url');
    const link = await readLink(`#/analyze/f5d6?n=${packed}`);
    expect(link.problems).toEqual(['n=']);
    expect(link.tree?.root.comment).toBeUndefined();
  });

  // Links that stand in other people's pages and messages: they are never changed here, only added to.
  test('links of version 0.1 are read', async () => {
    const noted = await readLink('#/analyze/f5d6c3(c4d3)d3c4@2.1.1?n=q1bKU7KKjlYyUtJRUrRX0lF6MbNPIUapJDM9tShGKSZPTSE3vyhVSSfa0FJHKTmzKDknVSk2NrYWAA');
    expect(noted.problems).toEqual([]);
    expect(noted.path).toEqual([0, 0, 1]);
    expect(writeGame(noted.tree!)).toBe('f5d6c3(c4d3)d3c4');
    const node = noted.tree?.root.children[0]?.children[0];
    expect(node?.comment).toBe('虎 "tiger"\n& more');
    expect(node?.glyph).toBe('!?');
    expect(node?.marks).toEqual([{ at: 19, shape: 'circle' }]);
    const board = await readLink('#/analyze/AAAACBAAAAAAAAAQCAAAAAw~f4');
    expect([board.problems, board.tree?.start.side]).toEqual([[], 'O']);
    const full = await readLink(`#/analyze/${'-'.repeat(27)}OX------XO${'-'.repeat(27)}X~f5`);
    expect([full.problems, full.tree?.start.side]).toEqual([[], 'X']);
    const gomoku = await readLink('#/play/g15f:h8i9@2');
    expect([gomoku.problems, gomoku.path]).toEqual([[], [0, 0]]);
  });

  test('what people type', async () => {
    const plain = await readLink('#/analyze/f5d6c3d3c4');
    expect(plain.path).toHaveLength(5);
    expect((await readLink('#/analyze/f5d6c3%28c4d3%29d3')).tree?.root.children[0]?.children[0]?.children).toHaveLength(2);
    expect((await readLink('#/nowhere/f5')).problems).toEqual(['nowhere']);
    expect((await readLink('')).screen).toBe('play');
    expect((await readLink('#/play')).tree).toBeNull();
    const full = `${'-'.repeat(27)}OX------XO${'-'.repeat(27)}X`;
    expect(writeGame(readGame(`${full}~f5`).tree)).toBe('f5');
    expect(packBoard({ game: 'othello', cells: full.slice(0, 64), side: 'O' })).toMatch(/^[\w-]{22}w$/);
  });
});
