// Analysis, links, paste, review, endgames, drills, library.
import { discs, equal, leaveBoard, playByKeys, screenByKeys, square, tabTo, tabToName, until } from './page.mjs';

export const OVER = 'd3c5e6d2c3e3c2f4c4d6f5b4b3a3d1e7g4c1b1h4c6f6a5a4a2b5e1e2d7c8a6b7f1c7b6b2f2f3g3g2a1a7a8f8f7b8g5g6h1g1h3h2h5g8g7h8h7h6e8d8';

export async function two_variations_by_keyboard(open) {
  const page = await open({ hash: '#/analyze/f5d6c3' });
  await page.keyboard.press('ArrowLeft');
  await playByKeys(page, 'c5');
  await leaveBoard(page);
  await page.keyboard.press('ArrowLeft');
  await playByKeys(page, 'c4');
  await until('the link', async () => decodeURIComponent(new URL(page.url()).hash).includes('f5d6c3(c5)(c4)'));
  await leaveBoard(page);
  await page.keyboard.press('e');
  await until('values', async () => (await page.locator('.value').count()) >= 3);
  const named = await square(page, await page.locator('.line-row b').first().innerText()).getAttribute('aria-label');
  if (!/legal, (about|plus|minus)/.test(named)) throw new Error(`no value in "${named}"`);
  await page.keyboard.press('e');
}

/** A comment, a mark and a link, all by keyboard; then the link in a browser that has never been here. */
export async function link_in_a_fresh_profile(open) {
  const page = await open({ hash: '#/analyze/f5d6c3' });
  await tabTo(page, '[role=tab]');
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
  await tabTo(page, '.tabpanel textarea');
  await page.keyboard.insertText('虎 <b>bold</b>');
  await tabToName(page, '.glyphs button', '!');
  await page.keyboard.press('Enter');
  await until('the note', async () => new URL(page.url()).hash.includes('n='));
  await tabToName(page, 'button', 'Share and export');
  await page.keyboard.press('Enter');
  await until('the link', async () => (await page.locator('dialog textarea').inputValue()).includes('#/'));
  const link = new URL(await page.locator('dialog textarea').inputValue()).hash;
  const fresh = await open({ hash: link });
  await tabTo(fresh, '[role=tab]');
  await fresh.keyboard.press('ArrowRight');
  equal(await fresh.locator('.remark').innerText(), '虎 <b>bold</b>', 'comment');
  equal(await fresh.locator('.sign').innerText(), '!', 'mark');
  await fresh.reload();
  await fresh.waitForSelector('.board');
  await until('the game after reload', async () => (await discs(fresh)).join() === '5,2');
}

export async function history_steps(open) {
  const page = await open({ hash: '#/analyze/f5d6c3', width: 1280, height: 800 });
  await page.waitForTimeout(300);
  const before = await page.evaluate(() => history.length);
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowLeft');
  await page.waitForTimeout(300);
  equal(await page.evaluate(() => history.length), before, 'steps leave no entries');
  await page.locator('.wide-only .links button').nth(5).click();
  await until('the library', () => page.$('h1'));
  await page.waitForTimeout(300);
  await page.goBack();
  await until('the board again', () => page.$('.table .board'));
}

export async function review_by_keyboard(open) {
  const page = await open({ hash: `#/analyze/${OVER}` });
  await page.keyboard.press('g');
  await tabTo(page, '.choose input[value=normal], .choose input[value=quick]');
  await page.keyboard.press('ArrowLeft');
  await tabTo(page, '.button.main');
  await page.keyboard.press('Enter');
  await until('the totals', () => page.$('.figures caption'), 60_000);
  const points = await page.locator('.graph .dot').count();
  if (points < 50) throw new Error(`${points} points in the graph`);
  await tabToName(page, 'button', 'Learn from the mistakes');
  await page.keyboard.press('Enter');
  await until('the drills', () => page.$('.toast'));
  await screenByKeys(page, 'Puzzles');
  await until('a set', () => page.$('.tile:not(:disabled)'));
  await tabTo(page, '.tile');
  await page.keyboard.press('Enter');
  await until('a puzzle', () => page.$('.table .board'));
  const [move] = await page.$$eval('.table .can', (cells) => cells.map((cell) => cell.dataset.square));
  await playByKeys(page, move);
  await until('the judgment', () => page.$('.end-card'));
}

export async function endgames_by_keyboard(open) {
  const page = await open({ hash: '#/solve' });
  await page.waitForSelector('textarea');
  await tabTo(page, 'textarea');
  await page.keyboard.insertText('--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;\n-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X\n');
  await tabTo(page, 'button[type=submit]');
  await page.keyboard.press('Enter');
  await until('two rows', async () => (await page.locator('tbody tr').count()) === 2);
  await tabToName(page, 'button', 'Solve all');
  await page.keyboard.press('Enter');
  await until('the results', async () => (await page.locator('tr.done').count()) === 2, 60_000);
  if (!(await page.locator('tbody tr').first().innerText()).includes('+18')) throw new Error('FFO 1 is not +18');
  await page.waitForTimeout(300);
  await page.reload();
  await until('kept results', async () => (await page.locator('tr.done').count()) === 2);
}

export async function library_keeps_games(open) {
  const page = await open({ hash: '#/analyze/f5d6c3', width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Save to the library' }).first().click();
  await page.locator('dialog input').first().fill('My game');
  await page.locator('dialog button[type=submit]').click();
  await page.evaluate(() => (location.hash = '#/library'));
  await until('the game', async () => (await page.locator('.game-card b').allInnerTexts()).includes('My game'));
  await page.getByRole('button', { name: 'Put into the bin' }).click();
  await until('the bin', async () => (await page.locator('.game-card').count()) === 0);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await until('the game again', async () => (await page.locator('.game-card').count()) === 1);
}

export async function position_editor(open) {
  const page = await open({ hash: '#/analyze' });
  await page.locator('.tools').getByRole('button', { name: 'Set up a position' }).click();
  await page.locator('dialog [data-square=a1]').click();
  await page.getByRole('button', { name: 'Use this position' }).click();
  await until('the link', async () => /#\/analyze\/[\w-]{22}b~/.test(decodeURIComponent(page.url())));
  equal(await page.locator('.side b').allInnerTexts(), ['3', '2'], 'discs');
}

export async function offline_after_one_visit(open, run) {
  const page = await open({ hash: '#/analyze/f5d6c3', workers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The engine is kept when it is first fetched by a page that the worker looks after.
  await page.reload();
  await page.waitForSelector('.board');
  await until('the engine', () => page.$('.engine-state.ready'));
  await page.context().setOffline(true);
  await page.reload();
  await until('the board without a network', async () => (await page.locator('.side b').allInnerTexts()).join() === '5,2');
  await page.evaluate(() => (location.hash = '#/library'));
  await until('a screen that was not visited', () => page.$('h1:has-text("Library")'));
  if (run.kind === 'static') {
    await page.evaluate(() => (location.hash = '#/analyze/f5d6c3'));
    await page.waitForSelector('.table .board');
    await page.keyboard.press('e');
    await until('values without a network', async () => (await page.locator('.value').count()) > 1);
  }
  // Without a server the browser says that it cannot be reached; that is no fault of the page.
  page.complaints = page.complaints.filter((text) => !/WebSocket|ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text));
}

/** A sheet of 20 moves in which two numbers changed places: the page says where it breaks, and mends it. */
export async function a_score_sheet_with_two_numbers_swapped(open) {
  const page = await open({ hash: '#/analyze' });
  await leaveBoard(page);
  await page.keyboard.press('p');
  await tabToName(page, 'dialog button', 'Score sheet');
  await page.keyboard.press('Enter');
  await until('the sheet', () => page.$('.score-sheet'));
  const moves = OVER.match(/../g).slice(0, 20);
  const numbers = new Map(moves.map((name, i) => [name, i + 1]));
  // The 9th and the 14th.
  numbers.set(moves[8], 14).set(moves[13], 9);
  await tabTo(page, '.score-sheet input');
  for (let at = 0; at < 64; at += 1) {
    const name = `${'abcdefgh'[at % 8]}${(at >> 3) + 1}`;
    if (['d4', 'e4', 'd5', 'e5'].includes(name)) continue;
    equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), name, 'square');
    if (numbers.has(name)) await page.keyboard.type(String(numbers.get(name)));
    await page.keyboard.press('Tab');
  }
  await until('what is wrong', async () => /cannot be right/.test(await page.locator('dialog [role=status]').innerText()));
  await tabToName(page, 'dialog button', `Swap 9 (${moves[13]}) and 14 (${moves[8]})`);
  await page.keyboard.press('Enter');
  await until('all moves', async () => /Moves 1 to 20 can be played/.test(await page.locator('dialog [role=status]').innerText()));
  await tabToName(page, 'dialog button', 'Open 20 moves');
  await page.keyboard.press('Enter');
  await until('the game', async () => decodeURIComponent(page.url()).endsWith(moves.join('')));
}
a_score_sheet_with_two_numbers_swapped.once = true;
