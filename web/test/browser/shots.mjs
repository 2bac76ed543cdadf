// Pictures of every screen in five sizes, light and dark, into the ignored folder shots: to be looked at by a person.
import { SHOTS, until } from './page.mjs';
import { GAME } from './access.mjs';
import { OVER } from './study.mjs';

const SIZES = [[320, 568], [360, 640], [768, 1024], [1280, 800], [640, 360]];
const SCREENS = {
  play: '#/play',
  analyze: `#/analyze/${GAME}`,
  explore: '#/explore/f5d6c3d3c4',
  solve: '#/solve',
  puzzles: '#/puzzles',
  library: '#/library',
  settings: '#/settings',
  gomoku: '#/analyze/g15f:h8i9h9g9j10g10g8',
};

export async function screenshots(open) {
  for (const [width, height] of SIZES) {
    for (const scheme of ['light', 'dark']) {
      const page = await open({ width, height, scheme, hash: SCREENS.analyze, settings: { seconds: 1 } });
      for (const [name, hash] of Object.entries(SCREENS)) {
        await page.evaluate((to) => (location.hash = to), hash);
        await page.waitForTimeout(500);
        if (name === 'explore') {
          await page.locator('.game-files input[type=file]').setInputFiles([{ name: 'own.txt', mimeType: 'text/plain', buffer: Buffer.from(`${OVER}\nf5d6c3d3c4\n`) }]);
          await until('the book and the games', async () => /≈[^]*1 game/.test(await page.locator('.panel').innerText()));
        }
        if (name === 'analyze' || name === 'gomoku') {
          await page.keyboard.press('e');
          await until('values', async () => (await page.locator('.value').count()) > 1);
          await page.waitForTimeout(1300);
        }
        await page.screenshot({ path: `${SHOTS}/${name}-${width}x${height}-${scheme}.png`, fullPage: width < 800 });
        if (name === 'analyze') {
          for (const [i, tab] of ['moves', 'graph', 'comments'].entries()) {
            await page.locator('[role=tab]').nth(i + 1).click();
            await page.screenshot({ path: `${SHOTS}/${tab}-${width}x${height}-${scheme}.png`, fullPage: width < 700 });
          }
          await page.locator('[role=tab]').first().click();
          await page.evaluate(() => document.activeElement.blur());
          await page.keyboard.press('e');
        }
        if (name === 'gomoku') await page.keyboard.press('e');
      }
      await page.context().close();
    }
  }
}
