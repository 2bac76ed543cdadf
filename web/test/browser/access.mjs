// axe on every screen, theme and language; and no sideways scrolling.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { until } from './page.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const GAME = 'd3c5e6(f6)(d6)d2(f5f6(c4)d7)c3e3c2f4c4d6f5b4';
const SCREENS = ['#/play', `#/analyze/${GAME}`, `#/explore/${GAME}`, '#/solve', '#/puzzles', '#/library', '#/settings', '#/analyze/g15f:h8i9h9'];

/** What axe finds on a page as it is, with the place where that is. */
async function violations(page, place) {
  // The script is run by the debugger, which the page's policy does not bind.
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map(({ id, nodes }) => `${place}: ${id}: ${nodes.slice(0, 2).map((node) => `${node.html.slice(0, 110)} ${node.any[0]?.message ?? ''}`).join(' || ')}`);
}

export async function axe_finds_nothing(open, run) {
  const found = [];
  for (const [scheme, language] of [['light', 'en'], ['dark', 'en'], ['light', 'ja'], ['dark', 'ja'], ['light', 'pseudo']]) {
    // Words have no say in contrast, and both engines show the same page.
    if (run.kind === 'static' && language !== 'en') continue;
    const page = await open({ scheme, settings: { language }, width: 360, height: 640 });
    for (const hash of SCREENS) {
      await page.evaluate((to) => (location.hash = to), hash);
      await page.waitForTimeout(400);
      // A screen is loaded when it is opened first.
      await until(`the heading of ${hash}`, () => page.$('h1'));
      for (const tab of hash.startsWith('#/analyze/d3') ? [0, 1, 2, 3] : [-1]) {
        if (tab >= 0) await page.locator('[role=tab]').nth(tab).click();
        found.push(...(await violations(page, `${scheme} ${language} ${hash} ${tab}`)));
      }
    }
  }
  if (found.length > 0) throw new Error(`\n${[...new Set(found)].join('\n')}`);
}

axe_finds_nothing.long = 8;

export async function axe_finds_nothing_in_sheets(open) {
  const found = [];
  for (const scheme of ['light', 'dark']) {
    const page = await open({ scheme, hash: `#/analyze/${GAME}`, width: 360, height: 640 });
    for (const name of ['Paste a game or position', 'Set up a position', 'Share and export', 'Save to the library']) {
      await page.locator('.tools').getByRole('button', { name }).click();
      await until(name, () => page.$('dialog[open]'));
      found.push(...(await violations(page, `${scheme} ${name}`)));
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('p');
    await page.locator('dialog').getByRole('button', { name: 'Score sheet' }).click();
    await until('the score sheet', () => page.$('.score-sheet'));
    await page.locator('.score-sheet input').first().fill('99');
    found.push(...(await violations(page, `${scheme} score sheet`)));
  }
  if (found.length > 0) throw new Error(`\n${found.join('\n')}`);
}

axe_finds_nothing_in_sheets.long = 2;

export async function nothing_scrolls_sideways(open) {
  const wide = [];
  for (const [width, height] of [[320, 568], [360, 640], [768, 1024], [1280, 800], [640, 360]]) {
    for (const language of ['en', 'ja', 'pseudo']) {
      const page = await open({ width, height, settings: { language } });
      for (const hash of SCREENS) {
        await page.evaluate((to) => (location.hash = to), hash);
        await page.waitForTimeout(150);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) wide.push(`${width} × ${height} ${language} ${hash}: ${over} px`);
      }
      await page.context().close();
    }
  }
  if (wide.length > 0) throw new Error(`\n${wide.join('\n')}`);
}
Object.assign(nothing_scrolls_sideways, { long: 7, once: true });
