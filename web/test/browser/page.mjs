// What the browser tests share: a page on a server or bridge, keys, and a list of what failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from './site.mjs';

export const SHOTS = resolve(import.meta.dirname, '../../shots');
mkdirSync(SHOTS, { recursive: true });

const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const BACK_ENDS = ['served', 'static'];
/** The folder that `cargo xtask web site` wrote. */
export const SITE = process.env.OUTFLANK_SITE ?? resolve(import.meta.dirname, '../../../target/site');
export const PROGRAM = process.env.OUTFLANK_BIN ?? resolve(import.meta.dirname, '../../../target/debug/outflank');

export async function startBrowser() {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('no Chromium: set CHROMIUM to its path, or install the package chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** The page with one of its engines: `OUTFLANK_BIN serve` (or the server at `OUTFLANK_URL`), or the static folder. */
export async function start(browser, kind, words = []) {
  if (kind === 'static') return { browser, kind, ...(await serve(SITE)) };
  if (process.env.OUTFLANK_URL && words.length === 0) return { browser, kind, url: process.env.OUTFLANK_URL, stop() {} };
  const server = spawn(PROGRAM, ['serve', '--port', '0', '--sessions', '64', '--assets', resolve(import.meta.dirname, '../../../crates/server/page'), ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise((found, failed) => {
    let text = '';
    const take = (data) => {
      text += data;
      const link = /https?:\/\/[^\s]+/.exec(text);
      if (link) found(link[0]);
    };
    server.stdout.on('data', take);
    server.stderr.on('data', take);
    server.on('error', failed);
    server.on('close', () => failed(new Error(`${PROGRAM} serve ended: ${text}`)));
    setTimeout(() => failed(new Error(`${PROGRAM} serve printed no link: ${text}`)), 15_000);
  });
  return { browser, kind, url, stop: () => server.kill('SIGTERM') };
}

/** A page in a fresh profile. What the browser complains about is collected: there must be nothing. */
export async function open(run, { width = 360, height = 640, scheme = 'light', hash = '', workers = 'block', settings = {}, before } = {}) {
  const context = await run.browser.newContext({ viewport: { width, height }, colorScheme: scheme, serviceWorkers: workers, reducedMotion: 'reduce' });
  await context.addInitScript((kept) => {
    // An empty page between two others has no storage.
    if (location.protocol === 'about:') return;
    if (!localStorage.getItem('outflank.settings')) localStorage.setItem('outflank.settings', JSON.stringify(kept));
  }, settings);
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    // A page on a static host asks for a server once, in vain.
    const expected = run.kind === 'static' && /WebSocket connection to .* failed/.test(message.text());
    if (message.type() === 'error' && !expected) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  await before?.(page);
  await page.goto(run.url + hash);
  await page.waitForSelector('html[data-begun] main :is(.board, .page)', { timeout: 15_000 });
  return page;
}

export const square = (page, name) => page.locator(`.table [data-square="${name}"]`);

/** Goes to a square with the arrow keys alone. The focus must be on the board. */
export async function walkTo(page, name) {
  for (let i = 0; i < 20; i += 1) {
    const [at, to] = await page.evaluate((target) => {
      const place = (element) => element?.dataset.xy?.split(' ').map(Number) ?? null;
      return [place(document.activeElement), place(document.querySelector(`.table [data-square="${target}"]`))];
    }, name);
    if (!at) throw new Error('the focus is not on the board');
    if (at[0] === to[0] && at[1] === to[1]) return;
    await page.keyboard.press(at[0] < to[0] ? 'ArrowRight' : at[0] > to[0] ? 'ArrowLeft' : at[1] < to[1] ? 'ArrowDown' : 'ArrowUp');
  }
  throw new Error(`did not reach ${name}`);
}

/** Tab until the focus is on what the selector finds. */
export async function tabTo(page, selector, most = 120) {
  for (let i = 0; i < most; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wish) => document.activeElement?.matches(wish) ?? false, selector)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

export async function playByKeys(page, name) {
  if (!(await page.evaluate(() => document.activeElement?.matches('.table [role=gridcell]') ?? false))) await tabTo(page, '.table [role=gridcell]');
  await walkTo(page, name);
  await page.keyboard.press('Enter');
}

/** Away from the board, where the arrow keys step through the game. */
export const leaveBoard = (page) => page.evaluate(() => document.activeElement.blur());

export const discs = (page) => page.locator('.side b').allInnerTexts();

/** Chooses a screen as the keyboard does: by the bar at the bottom, or by the menu there. */
export async function screenByKeys(page, name) {
  const shown = await page.locator('.bottom button').allInnerTexts();
  if (shown.some((text) => text.trim() === name)) {
    await tabToName(page, '.bottom button', name);
    await page.keyboard.press('Enter');
    return;
  }
  await tabTo(page, '.bottom button:last-child');
  await page.keyboard.press('Enter');
  await tabToName(page, 'dialog .links button', name);
  await page.keyboard.press('Enter');
}

/** Tab until the focus is on a control of these words. */
export async function tabToName(page, selector, name, most = 160) {
  for (let i = 0; i < most; i += 1) {
    await page.keyboard.press('Tab');
    const there = await page.evaluate(
      ([wish, words]) => {
        const at = document.activeElement;
        return (at?.matches(wish) && (at.getAttribute('aria-label') ?? at.textContent ?? '').trim() === words) ?? false;
      },
      [selector, name],
    );
    if (there) return;
  }
  throw new Error(`Tab does not reach ${selector} "${name}"`);
}

/** Chooses in a list by the words above it. */
export const choose = (page, words, value) => page.locator('label.field').filter({ has: page.locator(`.words:text-is("${words}")`) }).locator('select').selectOption(value);

export const status = (page) => page.locator('[data-testid=status]').innerText();

export async function until(what, check, most = 30_000) {
  const begun = Date.now();
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() - begun > most) throw new Error(`waited too long for ${what}`);
    await new Promise((resume) => setTimeout(resume, 60));
  }
}

export function equal(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
}
