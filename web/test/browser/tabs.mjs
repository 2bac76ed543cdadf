// Two tabs in one browser, and a tab that was closed: no game is lost, whichever tab comes later.
import { discs, equal, square, until } from './page.mjs';

/** What a person has on the board is kept half a second after the last change. */
const kept = (page) => page.waitForTimeout(900);

async function another(page, url) {
  const next = await page.context().newPage();
  await next.goto(url);
  await next.waitForSelector('html[data-begun] main :is(.board, .page)', { timeout: 15_000 });
  return next;
}

const library = async (page) => {
  await page.evaluate(() => (location.hash = '#/library'));
  await until('the library', () => page.$('h1:has-text("Library")'));
  return page.locator('.game-card').count();
};

export async function a_second_tab_leaves_the_first_ones_game(open, run) {
  const first = await open({ hash: '#/analyze' });
  for (const name of ['f5', 'd6', 'c3']) await square(first, name).click();
  await kept(first);
  // The game of a tab that is open stays there alone.
  const second = await another(first, run.url);
  equal(await discs(second), ['2', '2'], 'the second tab begins anew');
  await second.evaluate(() => (location.hash = '#/analyze/f5f6e6f4'));
  await until('the second game', async () => (await discs(second)).map(Number).reduce((a, b) => a + b) === 8);
  await kept(second);
  equal(await discs(first), ['5', '2'], 'the first tab');
  await first.reload();
  await first.waitForSelector('html[data-begun] .board');
  equal(await discs(first), ['5', '2'], 'the first tab after a reload');
  equal(await library(first), 0, 'games in the library');
  await first.goBack();
  // Both are closed; the next tab goes on with the last one, and the other is in the library.
  await kept(first);
  await first.goto('about:blank');
  await second.bringToFront();
  await square(second, 'e3').click();
  await kept(second);
  await second.goto('about:blank');
  const third = await another(first, run.url);
  await until('the last game', async () => (await discs(third)).map(Number).reduce((a, b) => a + b) === 9);
  equal(await library(third), 1, 'games in the library');
}
a_second_tab_leaves_the_first_ones_game.once = true;

export async function a_link_in_a_new_tab_keeps_what_was_left(open, run) {
  const page = await open({ hash: '#/analyze' });
  for (const name of ['f5', 'd6', 'c3', 'd3']) await square(page, name).click();
  await kept(page);
  await page.goto('about:blank');
  const next = await another(page, `${run.url}#/analyze/f5f6e6f4`);
  await until('the game of the link', async () => (await discs(next)).map(Number).reduce((a, b) => a + b) === 8);
  equal(await library(next), 1, 'games in the library');
  await next.locator('.game-card').getByRole('button', { name: 'Open' }).first().click();
  await until('the game that was left', async () => (await discs(next)).join() === '4,4');
}
a_link_in_a_new_tab_keeps_what_was_left.once = true;
