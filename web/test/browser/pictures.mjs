// Pictures of the board and of the graph as files, and the page on paper.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PROGRAM, SHOTS, equal, until } from './page.mjs';
import { OVER } from './study.mjs';

async function sheet(page, format) {
  await page.locator('.tools').getByRole('button', { name: 'Share and export' }).click();
  await page.locator(`dialog .choose input[value=${format}]`).check({ force: true });
}

async function save(page) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('dialog').getByRole('button', { name: 'Save as a file' }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

const look = (page, words) => page.locator('dialog .looks label', { hasText: words }).click();
const preview = (page) => page.locator('dialog img.preview').getAttribute('src');

/** Width and height of a PNG, whose signature and header come first. */
function sizeOfPng(bytes) {
  equal(bytes.subarray(1, 4).toString(), 'PNG', 'signature');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** One drawing code: the page saves what `outflank show --svg` writes. */
export async function a_picture_is_that_of_the_command_line(open) {
  const page = await open({ hash: '#/analyze/f5d6c3d3', width: 1280, height: 800 });
  await until('the engine', () => page.$('.engine-state.ready'), 60_000);
  await sheet(page, 'svg');
  await until('the picture', () => page.$('dialog img.preview'));
  const drawn = (...words) => execFileSync(PROGRAM, ['show', 'f5d6c3d3', '--svg', '-', ...words], { encoding: 'utf8' }).trim();
  const first = await save(page);
  equal(first.name, 'outflank.svg', 'name');
  equal(first.bytes.toString().trim(), drawn(), 'picture');
  const before = await preview(page);
  await look(page, 'Number');
  await look(page, 'Black on white');
  await until('the other picture', async () => (await preview(page)) !== before && decodeURIComponent(await preview(page)).includes('>4<'));
  equal((await save(page)).bytes.toString().trim(), drawn('--numbers', '--print'), 'picture with numbers for print');
}

export async function pictures_with_values_and_of_the_graph(open) {
  const page = await open({ hash: `#/analyze/${OVER}@30`, width: 1280, height: 800, settings: { seconds: 1 } });
  await until('the engine', () => page.$('.engine-state.ready'), 60_000);
  await page.keyboard.press('e');
  await until('values', async () => (await page.locator('.value').count()) > 1);
  await until('the end', async () => !(await page.$('.figures-line .spinner')));
  await sheet(page, 'svg');
  await until('the values in the picture', async () => decodeURIComponent((await preview(page)) ?? '').includes('≈'));
  await page.locator('dialog .choose input[value=png]').check({ force: true });
  const board = await save(page);
  equal([board.name, ...sizeOfPng(board.bytes)], ['outflank.png', 1080, 1080], 'picture of the board');
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.locator('.choose input[value=quick]').check({ force: true });
  await page.getByRole('button', { name: 'Review the game' }).click();
  await until('the totals', () => page.$('.figures caption'), 90_000);
  await sheet(page, 'png');
  await page.locator('dialog .choose input[value=graph]').check({ force: true });
  const graph = await save(page);
  const [width, height] = sizeOfPng(graph.bytes);
  equal([width, height > 200 && height < width], [1080, true], 'picture of the graph');
  await page.locator('dialog .choose input[value=svg]').check({ force: true });
  const text = (await save(page)).bytes.toString();
  equal([text.startsWith('<svg'), / class=|<script/.test(text)], [true, false], 'graph as SVG that stands alone');
}
pictures_with_values_and_of_the_graph.long = 2;

/** On paper there are the board and the moves, black on white in either theme, and none of what is for clicking. */
export async function printing_shows_board_and_moves(open) {
  for (const scheme of ['light', 'dark']) {
    const page = await open({ hash: `#/analyze/${OVER}@20`, width: 1280, height: 800, scheme, before: (fresh) => fresh.addInitScript(() => (globalThis.print = () => (globalThis.printed = true))) });
    await until('the engine', () => page.$('.engine-state.ready'), 60_000);
    await page.getByRole('tab', { name: 'Moves' }).click();
    const moves = await page.locator('.move').count();
    await sheet(page, 'svg');
    await page.locator('dialog').getByRole('button', { name: 'Print' }).click();
    await until('the wish to print', () => page.evaluate(() => globalThis.printed ?? false));
    equal(await page.locator('dialog').count(), 0, 'open sheets');
    await page.emulateMedia({ media: 'print' });
    const found = await page.evaluate(() => {
      const light = (color) => {
        const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
        return a === 0 ? null : (r + g + b) / 3;
      };
      const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0);
      const dark = (selector) => shown(selector).filter((element) => (light(getComputedStyle(element).backgroundColor) ?? 255) < 230).map((element) => element.className);
      const pale = (selector) => shown(selector).filter((element) => light(getComputedStyle(element).color) > 120).map((element) => element.parentElement.className);
      return { clickable: shown('.top, .bottom, .tools, .walk, .tablist, .toast, .banner').length, board: shown('.picture').length, moves: shown('.move').length, paper: dark('body, main, .two, .table, .score, .panel, .moves, .side, .move'), ink: pale('.move .name, .status, .side b, .pair .count') };
    });
    await page.pdf({ path: `${SHOTS}/print-${scheme}.pdf`, format: 'A4', printBackground: true });
    equal(found, { clickable: 0, board: 1, moves, paper: [], ink: [] }, `${scheme} page on paper`);
  }
}
printing_shows_board_and_moves.once = true;
