// The three pictures of README.md: `node test/browser/readme.mjs`. Written with a palette, so that each has at most 60 kB.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { start, startBrowser, open, until } from './page.mjs';
import { OVER } from './study.mjs';

const COLORS = 255;

/** The colors that are there most often, each at some distance from those before it. */
function palette(pixels) {
  const counts = new Map();
  for (let i = 0; i < pixels.length; i += 4) {
    const key = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rgb = (key) => [key >> 16, (key >> 8) & 255, key & 255];
  const far = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);
  const chosen = [];
  const all = [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => rgb(key));
  for (const least of [24, 12, 6]) for (const color of all) if (chosen.length < COLORS && chosen.every((other) => far(color, other) >= least)) chosen.push(color);
  const nearest = new Map();
  const index = (key) => {
    let found = nearest.get(key);
    if (found === undefined) {
      const color = rgb(key);
      found = chosen.reduce((best, other, i) => (far(color, other) < far(color, chosen[best]) ? i : best), 0);
      nearest.set(key, found);
    }
    return found;
  };
  return { chosen, index };
}

function png({ width, height, pixels }) {
  const { chosen, index } = palette(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const i = 4 * (y * width + x);
      rows[y * (width + 1) + 1 + x] = index((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    }
  }
  const chunk = (name, content) => {
    const body = Buffer.concat([Buffer.from(name), content]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(content.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('PLTE', Buffer.from(chosen.flat())), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

const browser = await startBrowser();
const run = await start(browser, 'served');

async function keep(page, name) {
  const shot = (await page.screenshot()).toString('base64');
  const found = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return { width: image.width, height: image.height, pixels: [...context.getImageData(0, 0, image.width, image.height).data] };
  }, shot);
  const bytes = png(found);
  writeFileSync(resolve(import.meta.dirname, `../../../docs/pictures/${name}.png`), bytes);
  console.log(`${name}.png: ${(bytes.length / 1000).toFixed(1)} kB`);
  await page.context().close();
}

try {
  const explore = await open(run, { width: 1000, height: 640, hash: '#/explore/f5d6c3d3c4' });
  await until('the book', async () => (await explore.locator('.explore').innerText()).includes('≈'));
  await keep(explore, 'openings');
  const review = await open(run, { width: 1000, height: 640, scheme: 'dark', hash: `#/analyze/${OVER}` });
  await review.getByRole('tab', { name: 'Graph' }).click();
  await review.locator('input[value=quick]').check();
  await review.getByRole('button', { name: 'Review the game' }).click();
  await until('the review', () => review.getByRole('button', { name: 'Review again' }).isVisible(), 120_000);
  await review.evaluate(() => document.activeElement.blur());
  for (let i = 0; i < 22; i += 1) await review.keyboard.press('ArrowLeft');
  await keep(review, 'review');
  const phone = await open(run, { width: 360, height: 640, hash: '#/analyze/f5d6c3d3c4f4f6f3e6' });
  await phone.keyboard.press('e');
  await until('values', async () => (await phone.locator('.value').count()) > 4);
  await phone.waitForTimeout(3000);
  await keep(phone, 'phone');
} finally {
  await browser.close();
  run.stop();
}
