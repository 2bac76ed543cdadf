// Five tasks of somebody who has never been here, with what they cost: `npm run tasks`. Seconds are those of a machine that
// clicks at once: what the program takes, not what a person does.
import { open, start, startBrowser, until } from './page.mjs';

const PLAYOK = `[Event "?"]
[Black "ann"]
[White "ben"]
[Result "53-11"]

1. d3 c5 2. e6 d2 3. c3 e3 4. c2 f4 5. c4 d6 6. f5 b4 7. b3 a3 8. d1 e7 9. g4 c1 10. b1 h4 11. c6 f6 12. a5 a4 13. a2 b5 14. e1 e2 15. d7 c8 16. a6 b7 17. f1 c7 18. b6 b2 19. f2 f3 20. g3 g2 53-11`;

let actions = 0;
const click = async (target) => {
  actions += 1;
  await target.click();
};
const named = (page, name) => page.getByRole('button', { name });
const screen = (page, name) => click(page.locator('.wide-only .links button', { hasText: name }));
const square = (page, name) => click(page.locator(`.table [data-square="${name}"]`));

const tasks = {
  async 'play a beginner'(page) {
    await click(page.locator('.option', { hasText: 'Beginner' }));
    await click(named(page, 'Start the game'));
    await square(page, 'f5');
    await until('the answer', async () => (await page.locator('.move:not(.start)').count()) === 2);
  },
  async 'paste a PlayOK game and find the worst move'(page) {
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, PLAYOK);
    actions += 1;
    await until('the game', () => page.$('.found li'));
    await click(page.locator('dialog').getByRole('button', { name: 'Open', exact: true }));
    await click(page.getByRole('tab', { name: 'Graph' }));
    await click(named(page, 'Review the game'));
    await until('the review', () => page.$('.figures caption'), 120_000);
    await click(page.getByRole('tab', { name: 'Moves' }));
    const losses = await page.$$eval('.move', (all) => all.map((move) => Number(/−(\d+)/.exec(move.textContent)?.[1] ?? 0)));
    const worst = losses.indexOf(Math.max(...losses));
    await click(page.locator('.move').nth(worst));
    return (await page.locator('.move').nth(worst).innerText()).replaceAll(/\s+/g, ' ');
  },
  async 'prove an endgame'(page) {
    await screen(page, 'Endgames');
    await click(named(page, 'Try one with 14 empty squares'));
    await until('the row', () => page.$('tbody tr'));
    await click(named(page, 'Solve all'));
    await until('the result', () => page.$('tr.done'), 60_000);
    return page.locator('tr.done td').nth(2).innerText();
  },
  async 'share a line'(page) {
    await screen(page, 'Analyze');
    for (const name of ['f5', 'd6', 'c3']) await square(page, name);
    await click(page.locator('.tools').getByRole('button', { name: 'Share and export' }));
    await until('the link', async () => (await page.locator('dialog textarea').inputValue()).includes('f5d6c3'));
    await click(page.locator('dialog').getByRole('button', { name: 'Copy' }));
  },
  async 'drill an opening'(page) {
    await screen(page, 'Openings');
    for (const name of ['f5', 'd6', 'c3', 'd3', 'c4']) await square(page, name);
    await click(page.getByText('Drill openings'));
    await click(named(page, 'Drill this line as Black'));
    await click(page.locator('.toast').getByRole('button', { name: 'Puzzles' }));
    for (const name of ['f5', 'c3', 'c4']) {
      await until('the position', async () => (await page.locator('.table .can').count()) > 0 && !(await page.$('.end-card')));
      await square(page, name);
      await until('the judgment', () => page.$('.end-card.good'));
      await click(named(page, 'Next'));
    }
  },
};

const browser = await startBrowser();
const run = await start(browser, process.argv.includes('static') ? 'static' : 'served');
let failed = false;
for (const [name, task] of Object.entries(tasks)) {
  const page = await open(run, { width: 1280, height: 800 });
  await until('the engine', () => page.$('.engine-state.ready'), 60_000);
  actions = 0;
  const begun = Date.now();
  try {
    const found = await task(page);
    console.log(`${name}: ${actions} actions, ${((Date.now() - begun) / 1000).toFixed(1)} s${found ? ` (${found})` : ''}`);
  } catch (error) {
    failed = true;
    console.log(`FAIL ${name}: ${error.message.split('\n')[0]}`);
  }
  await page.context().close();
}
await browser.close();
run.stop();
process.exit(failed ? 1 : 0);
