// Playing, by keyboard alone, in a window of 360 × 640.
import { choose, discs, equal, playByKeys, square, status, tabTo, until } from './page.mjs';

const legal = (page) => page.$$eval('.table [role=gridcell].can', (cells) => cells.map((cell) => cell.dataset.square));

export async function whole_game_by_keyboard(open) {
  const page = await open({ hash: '#/play' });
  await tabTo(page, 'input[type=radio][value=club]');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await tabTo(page, 'button[type=submit]');
  await page.keyboard.press('Enter');
  await until('the game', () => page.$('.match-head'));
  equal(await page.locator('.match-head h2').innerText(), 'Beginner', 'opponent');
  let moves = 0;
  for (; moves < 120; moves += 1) {
    await until('my turn', async () => !(await page.$('.thinking .spinner')) && ((await legal(page)).length > 0 || (await page.$('.pass-line button')) || (await page.$('.end-card'))));
    if (await page.$('.end-card')) break;
    if (await page.$('.pass-line button')) {
      await tabTo(page, '.pass-line button');
      await page.keyboard.press('Enter');
      continue;
    }
    const before = await page.locator('.score').innerText();
    await playByKeys(page, (await legal(page))[0]);
    await until('the move', async () => (await page.locator('.score').innerText()) !== before);
  }
  if (moves < 20) throw new Error(`the game ended after ${moves} moves`);
  if (!/win|lose|draw/i.test(await page.locator('.verdict').innerText())) throw new Error('no verdict');
  // What happened is read aloud.
  if (!(await page.locator('#spoken').innerText()).trim()) throw new Error('nothing is read aloud');
}

whole_game_by_keyboard.long = 9;

export async function passes_are_explicit(open) {
  const page = await open({ hash: '#/analyze/f5f6f7g7h7h8c4e7d7g5h5h6f8d8c7h4' });
  equal((await status(page)).split('\n')[0], 'Black must pass', 'status');
  await tabTo(page, '.pass-line button');
  await page.keyboard.press('Enter');
  equal((await status(page)).split('\n')[0], 'White to move', 'status after the pass');
  await page.keyboard.press('ArrowLeft');
  equal((await status(page)).split('\n')[0], 'Black must pass', 'a step back');
}

export async function wipe_out_in_nine(open) {
  const page = await open({ hash: '#/analyze/e6f4e3f6g5d6e7f5c5' });
  equal((await status(page)).split('\n')[0], 'Black wins by 64', 'status');
}

export async function undo_over_a_move_of_the_engine(open) {
  const page = await open({ hash: '#/play' });
  await page.locator('input[value=beginner]').check();
  await page.locator('button[type=submit]').click();
  await square(page, 'f5').click();
  await until('the answer', async () => (await page.locator('.move').count()) === 3);
  await page.getByRole('button', { name: 'Take back' }).click();
  equal(await discs(page), ['2', '2'], 'discs');
  equal((await legal(page)).sort(), ['c4', 'd3', 'e6', 'f5'], 'legal moves');
}

export async function a_random_start_is_fair_and_new_each_time(open) {
  const starts = new Set();
  for (let i = 0; i < 2; i += 1) {
    const page = await open({ hash: '#/play' });
    await page.locator('input[value=people]').check();
    await choose(page, 'Start', 'random');
    await page.locator('button[type=submit]').click();
    await until('the start', async () => (await discs(page)).reduce((sum, n) => sum + Number(n), 0) === 12);
    starts.add(await page.evaluate(() => location.hash));
  }
  equal(starts.size, 2, 'starts');
}

export async function a_close_game(open) {
  const page = await open({ hash: '#/play' });
  await page.locator('input[value=close]').check();
  await page.locator('button[type=submit]').click();
  for (let moves = 0; moves < 5; moves += 1) {
    await until('my turn', async () => !(await page.$('.thinking .spinner')) && (await legal(page)).length > 0);
    await square(page, (await legal(page))[0]).click();
  }
  await until('the answer', async () => !(await page.$('.thinking .spinner')));
  equal(await page.locator('.match-head h2').innerText(), 'Close game', 'opponent');
  equal(await page.locator('.thinking .warning').count(), 0, 'troubles');
}

export async function gomoku_by_keyboard(open) {
  const page = await open({ width: 1280, height: 800, hash: '#/play/g15f:' });
  await page.locator('input[value=people]').check();
  await page.locator('button[type=submit]').click();
  for (const name of ['h8', 'a1', 'i8', 'a2', 'j8', 'a3', 'k8', 'a4', 'l8']) await playByKeys(page, name);
  equal((await status(page)).split('\n')[0], 'Black wins', 'status');
}

/** Three in a row, both ends open, and the move: four in a row cannot be stopped. */
export async function gomoku_proof(open) {
  const page = await open({ width: 1280, height: 800, hash: '#/analyze/g15f:h8a1h9a3h10a5' });
  await until('the engine', () => page.$('.engine-state.ready'));
  await page.keyboard.press('e');
  await until('the proof', async () => /proven win in 3 stones/.test(await page.locator('.line-row').first().innerHTML()));
  equal(await page.locator('.line-row .figure').first().innerText(), 'W3', 'value');
}

export async function gomoku_against_the_engine(open) {
  const page = await open({ width: 1280, height: 800, hash: '#/play/g15f:' });
  await page.locator('input[value=casual]').check();
  await page.locator('button[type=submit]').click();
  await square(page, 'h8').click();
  await until('the answer', async () => (await page.locator('.move').count()) === 3);
}
