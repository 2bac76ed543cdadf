// Analysis, links, paste, review, endgames, drills, library.
import { equal, playByKeys, square, status, tabTo, until } from './page.mjs';

const OVER = 'd3c5e6d2c3e3c2f4c4d6f5b4b3a3d1e7g4c1b1h4c6f6a5a4a2b5e1e2d7c8a6b7f1c7b6b2f2f3g3g2a1a7a8f8f7b8g5g6h1g1h3h2h5g8g7h8h7h6e8d8';

export async function two_variations_by_keyboard(open) {
  const page = await open({ hash: '#/analyze/f5d6c3' });
  await page.keyboard.press('ArrowLeft');
  await playByKeys(page, 'c5');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowLeft');
  await playByKeys(page, 'c4');
  await until('the link', async () => decodeURIComponent(new URL(page.url()).hash).includes('f5d6c3(c5)(c4)'));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('e');
  await until('values', async () => (await page.locator('.value').count()) >= 3);
  const named = await square(page, await page.locator('.line-row b').first().innerText()).getAttribute('aria-label');
  if (!/legal, (about|plus|minus)/.test(named)) throw new Error(`no value in "${named}"`);
  await page.keyboard.press('e');
}

export async function link_in_a_fresh_profile(open) {
  const page = await open({ hash: '#/analyze/f5d6c3' });
  await page.getByRole('tab', { name: 'Comments' }).click();
  await page.locator('textarea').fill('虎 <b>bold</b>');
  await page.locator('.glyphs button').nth(1).click();
  await until('the note', async () => new URL(page.url()).hash.includes('n='));
  const link = new URL(page.url()).hash;
  const fresh = await open({ hash: link });
  await fresh.getByRole('tab', { name: 'Moves' }).click();
  equal(await fresh.locator('.remark').innerText(), '虎 <b>bold</b>', 'comment');
  equal(await fresh.locator('.sign').innerText(), '!', 'mark');
  await fresh.reload();
  await fresh.waitForSelector('.board');
  await until('the game after reload', async () => (await fresh.locator('.side b').allInnerTexts()).join() === '5,2');
}

export async function damaged_link_keeps_the_game(open) {
  const page = await open({ hash: '#/analyze/f5d6c3' });
  await page.evaluate(() => (location.hash = '#/analyze/zzzz'));
  await until('the message', () => page.$('.banner[role=alert]'));
  equal(await page.locator('.side b').allInnerTexts(), ['5', '2'], 'discs');
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

const PASTES = [
  ['F5 D6 C3 D3 C4', 5],
  ['1. f5 d6 2. c3 d3 3. c4', 5],
  ['(;GM[Othello]PC[x]DT[1]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)', 3],
  ['(;GM[2]SZ[8];B[f5];W[d6])', 2],
  ['O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X', 0],
];

export async function paste_of_many_forms(open) {
  for (const [text, moves] of PASTES) {
    const page = await open({ hash: '#/analyze' });
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('p');
    await page.locator('dialog textarea').fill(text);
    await page.keyboard.press('Tab');
    await page.locator('dialog button[type=submit]').click();
    await until(`found in ${text.slice(0, 20)}`, () => page.$('.found li'));
    await page.locator('dialog button[type=submit]').click();
    await until('the board', async () => !(await page.$('dialog')));
    const hash = decodeURIComponent(new URL(page.url()).hash);
    if (moves > 0) await until('the game', async () => (await page.locator('.side b').allInnerTexts()).map(Number).reduce((a, b) => a + b) === 4 + moves);
    else equal((await status(page)).split('\n')[0], 'Black to move', hash);
  }
  const page = await open({ hash: '#/analyze/f5d6c3' });
  await page.keyboard.press('p');
  await page.locator('dialog textarea').fill('hello world');
  await page.locator('dialog button[type=submit]').click();
  await until('the message', () => page.$('dialog .warning'));
  await page.keyboard.press('Escape');
  equal(await page.locator('.side b').allInnerTexts(), ['5', '2'], 'the board is as it was');
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
  await page.getByRole('button', { name: 'Learn from the mistakes' }).click();
  await until('the drills', () => page.$('.toast'));
  await page.evaluate(() => (location.hash = '#/puzzles'));
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
  await tabTo(page, '.stack:not(form) > .line-of-buttons .button.main');
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

export async function stop_ends_a_long_search(open) {
  const page = await open({ hash: '#/analyze/f5d6c3', width: 1280, height: 800, settings: { seconds: 600 } });
  const times = [];
  for (let i = 0; i < 5; i += 1) {
    await page.keyboard.press('e');
    await until('the search', () => page.$('.figures-line .spinner'));
    await page.waitForTimeout(300);
    const begun = Date.now();
    await page.keyboard.press('e');
    await until('the end', async () => !(await page.$('.top .icon-stop')), 5000);
    times.push(Date.now() - begun);
  }
  console.log(`     stop after ${times.join(', ')} ms, with up to 60 ms of looking`);
}

export async function offline_after_one_visit(open) {
  const page = await open({ hash: '#/analyze/f5d6c3', workers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForSelector('.board');
  await page.context().setOffline(true);
  await page.reload();
  await until('the board without a network', async () => (await page.locator('.side b').allInnerTexts()).join() === '5,2');
  await page.evaluate(() => (location.hash = '#/library'));
  await until('a screen that was not visited', () => page.$('h1:has-text("Library")'));
  // Without a server the browser says that it cannot be reached; that is no fault of the page.
  page.complaints = page.complaints.filter((text) => !/WebSocket|ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text));
}
