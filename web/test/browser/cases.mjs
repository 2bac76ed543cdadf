// Positions and habits that have broken other programs: passes, undo, forks, reload, stop, clocks, repeated hints.
import { choose, discs, equal, leaveBoard, playByKeys, screenByKeys, square, status, tabTo, tabToName, until } from './page.mjs';

/** 42 moves; Black's g7... after the 43rd, h2, White has no move. */
const BEFORE_PASS = 'd3c5b6f3f5c6f4d2c2a7d1g5g6e3g4c1f2b1b3h5a1h3h4g7h6f1e2g2f7e1c4e7f6h7e6b5g1b2a2d6g3h1';

const first = async (page) => (await status(page)).split('\n')[0];

/** Plays on from the link's position, by keyboard. */
async function playFromHere(page, opponent, color) {
  await until('the engine', () => page.$('.engine-state.ready'));
  await page.locator(`input[value=${opponent}]`).check({ force: true });
  await page.getByRole('radio', { name: color }).check({ force: true });
  await choose(page, 'Start', 'here');
  await page.locator('button[type=submit]').click();
}

export async function engine_passes_after_43_moves(open) {
  const page = await open({ hash: `#/play/${BEFORE_PASS}@42` });
  await playFromHere(page, 'club', 'Black');
  await playByKeys(page, 'h2');
  await until('the pass of the engine', async () => (await first(page)) === 'Black to move', 10_000);
  if (!/passes/i.test(await page.locator('#spoken').innerText())) throw new Error('the pass is not read aloud');
  equal(await page.locator('.move .name').last().innerText(), 'pass', 'last move');
}

export async function undo_over_a_pass(open) {
  const page = await open({ hash: `#/play/${BEFORE_PASS}@42` });
  await playFromHere(page, 'people', 'Black');
  const before = await discs(page);
  await playByKeys(page, 'h2');
  await until('the pass', async () => (await first(page)) === 'White must pass');
  await tabTo(page, '.pass-line button');
  await page.keyboard.press('Enter');
  await until('Black again', async () => (await first(page)) === 'Black to move');
  await tabToName(page, 'button', 'Take back');
  await page.keyboard.press('Enter');
  // A pass alone is nothing that a player would take back.
  await until('the move before the pass', async () => (await discs(page)).join() === before.join());
  equal(await first(page), 'Black to move', 'side');
}

export async function a_fork_remembers_the_way(open) {
  const page = await open({ hash: '#/analyze/f5d6(f6e6f4)c3d3@5.0' });
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  // At the fork the moves are named, and may be chosen.
  const shown = await page.locator('.fork button').allInnerTexts();
  equal(shown, ['d6', 'f6'], 'branches');
  await tabToName(page, '.fork button', 'f6');
  await page.keyboard.press('Enter');
  await leaveBoard(page);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await until('the branch last visited', async () => (await page.locator('.fork').count()) === 0 && decodeURIComponent(page.url()).includes('@1.1.3'));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await until('the other branch', async () => /last move/.test(await square(page, 'd3').getAttribute('aria-label')) && !page.url().includes('@'));
}

export async function reload_and_back(open) {
  const page = await open({ hash: '#/analyze/f5d6(f6)c3' });
  await page.keyboard.press('ArrowLeft');
  await until('the place in the link', async () => page.url().includes('@2'));
  const link = page.url();
  await page.reload();
  await page.waitForSelector('.board');
  equal(page.url(), link, 'address');
  equal(await discs(page), ['3', '3'], 'discs');
  // Another game by its link; Back brings the first one, variations and all.
  await page.evaluate(() => (location.hash = '#/analyze/f5f6e6'));
  await until('the other game', async () => (await discs(page)).join() === '5,2');
  await page.goBack();
  await until('the first game', async () => (await discs(page)).join() === '3,3');
  if (!decodeURIComponent(page.url()).includes('(f6)')) throw new Error(`the variation is gone: ${page.url()}`);
}

export async function level_60_can_be_hurried(open) {
  const page = await open({ hash: '#/play' });
  await until('the engine', () => page.$('.engine-state.ready'));
  await page.getByLabel('Or by number').selectOption('level-60');
  await page.locator('button[type=submit]').click();
  await square(page, 'f5').click();
  await until('thinking', () => page.$('.thinking .spinner'));
  await page.waitForTimeout(1500);
  await page.getByRole('button', { name: 'Move now' }).click();
  await until('the answer', async () => (await page.locator('.move:not(.start)').count()) === 2);
}

export async function a_search_without_end_is_stopped(open) {
  const page = await open({ hash: '#/analyze/f5d6c3', width: 1280, height: 800, settings: { seconds: 600 } });
  const times = [];
  for (let i = 0; i < 3; i += 1) {
    await page.keyboard.press('e');
    await until('the search', () => page.$('.figures-line .spinner'));
    await page.waitForTimeout(500);
    const begun = Date.now();
    await page.keyboard.press('e');
    await until('the end', async () => !(await page.$('.top .icon-stop')), 5000);
    times.push(Date.now() - begun);
  }
  if (Math.min(...times) > 1000) throw new Error(`stopped after ${times.join(', ')} ms`);
}

/** A worker that dies without a word is missed, and another one answers. */
export async function a_killed_worker_comes_back(open) {
  const page = await open({
    hash: '#/analyze/f5d6c3',
    settings: { seconds: 600 },
    before: (fresh) =>
      fresh.addInitScript(() => {
        const Own = Worker;
        globalThis.workers = [];
        globalThis.Worker = class extends Own {
          constructor(...all) {
            super(...all);
            globalThis.workers.push(this);
          }
        };
      }),
  });
  await until('the engine', () => page.$('.engine-state.ready'));
  await page.evaluate(() => globalThis.workers.at(-1).terminate());
  await leaveBoard(page);
  await page.keyboard.press('e');
  await until('values from another worker', async () => (await page.locator('.value').count()) > 1, 30_000);
  equal(await page.evaluate(() => globalThis.workers.length), 2, 'workers');
  equal(await discs(page), ['5', '2'], 'discs');
}
a_killed_worker_comes_back.only = 'static';

export async function a_clock_runs_in_a_page_that_sleeps(open) {
  const page = await open({ hash: '#/play' });
  await page.locator('input[value=people]').check({ force: true });
  await page.getByLabel('Clock').first().selectOption('1:00');
  await page.locator('button[type=submit]').click();
  await square(page, 'f5').click();
  const seconds = async () => {
    const [minutes, rest] = (await page.locator('.clock').last().innerText()).split('\n').at(-1).split(':').map(Number);
    return minutes * 60 + rest;
  };
  await until('a running clock', async () => (await page.locator('.clock.runs').count()) === 1);
  const before = await seconds();
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await page.waitForTimeout(300);
  const lost = before - (await seconds());
  if (lost < 4 || lost > 8) throw new Error(`${lost} s are gone, not some 4`);
}

/** Twice the same question, and again after a step and back: the same answer, since it is exact. */
export async function an_exact_hint_stays(open) {
  const page = await open({ hash: '#/solve' });
  await page.waitForSelector('textarea');
  await page.getByRole('button', { name: /Try one/ }).click();
  await until('the row', async () => (await page.locator('tbody tr').count()) === 1);
  await page.locator('tbody th button').click();
  await page.waitForSelector('.table .board');
  await leaveBoard(page);
  const ask = async () => {
    await page.keyboard.press('e');
    await until('exact values', async () => (await page.locator('.line-row .figure').first().getAttribute('class'))?.includes('exact'), 60_000);
    await until('the end', async () => !(await page.$('.figures-line .spinner')), 60_000);
    const found = (await page.locator('.line-row .lead').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')).sort();
    await page.keyboard.press('e');
    return found;
  };
  const one = await ask();
  equal(await ask(), one, 'the second hint');
  const best = await page.evaluate(() => document.querySelector('.table .square.can')?.dataset.square);
  await square(page, best).click();
  await leaveBoard(page);
  await page.keyboard.press('ArrowLeft');
  equal(await ask(), one, 'the hint after a step and back');
}

export async function a_shipped_puzzle_by_keyboard(open) {
  const page = await open({ hash: '#/analyze' });
  await screenByKeys(page, 'Puzzles');
  await until('the sets', async () => (await page.locator('.tile:not(:disabled)').count()) >= 3);
  await tabTo(page, '.tile:not(:disabled)');
  await page.keyboard.press('Enter');
  await until('a puzzle', () => page.$('.table .board'));
  const [move] = await page.$$eval('.table .can', (cells) => cells.map((cell) => cell.dataset.square));
  await playByKeys(page, move);
  await until('the judgment', () => page.$('.end-card'));
  if (!/Best:/.test(await page.locator('.end-card').innerText())) throw new Error('the best move is not named');
  await tabToName(page, 'button', 'Next');
  await page.keyboard.press('Enter');
  await until('the next one', async () => !(await page.$('.end-card')));
}
