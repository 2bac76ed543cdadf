// The page in a real browser, with both of its engines. `npm run test:browser` runs everything; words after `--` choose
// tests by name, `served` and `static` the engine; `shots` makes pictures for people to look at.
import { existsSync } from 'node:fs';
import { BACK_ENDS, SITE, open, start, startBrowser } from './page.mjs';
import * as access from './access.mjs';
import * as bad from './bad.mjs';
import * as cases from './cases.mjs';
import * as dialogues from './dialogues.mjs';
import * as games from './games.mjs';
import * as openings from './openings.mjs';
import * as study from './study.mjs';
import * as pictures from './pictures.mjs';
import * as shots from './shots.mjs';
import * as tabs from './tabs.mjs';

const words = process.argv.slice(2);
const kinds = BACK_ENDS.filter((kind) => !words.some((word) => BACK_ENDS.includes(word)) || words.includes(kind));
const wanted = words.filter((word) => !BACK_ENDS.includes(word));
if (kinds.includes('static') && !existsSync(SITE)) {
  console.error(`${SITE} is missing: run \`cargo xtask web site\`, or say \`served\``);
  process.exit(2);
}

const modules = wanted.includes('shots') ? { ...shots } : { ...games, ...study, ...openings, ...cases, ...bad, ...dialogues, ...pictures, ...tabs, ...access };
const named = Object.entries(modules).filter(([name, test]) => typeof test === 'function' && (wanted.length === 0 || wanted.includes('shots') || wanted.some((word) => name.includes(word))));
// What does not depend on the engine is tried with one; some things only one of them has.
const list = kinds.flatMap((kind) => named.filter(([, { only, once }]) => (only ? only === kind : !once || kind === kinds[0])).map(([name, test]) => ({ kind, name, test })));
// The long ones first, so that none is left running alone at the end.
list.sort((a, b) => (b.test.long ?? 0) - (a.test.long ?? 0));

const browser = await startBrowser();
const runs = Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await start(browser, kind)])));
let failed = 0;

/** Runs a test; a failure that is said for the first time is only noted, and tried again alone when all others are done. */
async function one({ kind, name, test }, isLast = false) {
  const begun = Date.now();
  const pages = [];
  try {
    await test(async (options) => {
      const page = await open(runs[kind], options);
      pages.push(page);
      return page;
    }, runs[kind]);
    for (const page of pages) if (page.complaints.length > 0) throw new Error(`the browser complains: ${page.complaints.join(' | ')}`);
    console.log(`ok   ${kind} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    if (isLast) failed += 1;
    else again.push({ kind, name, test });
    console.log(`${isLast ? 'FAIL' : 'fail'} ${kind} ${name}: ${error.message.startsWith('\n') ? error.message : error.stack?.split('\n').slice(0, 5).join('\n     ')}`);
    await pages.at(-1)?.screenshot({ path: new URL(`../../shots/FAIL-${kind}-${name}.png`, import.meta.url).pathname }).catch(() => {});
  }
  for (const page of pages) await page.context().close().catch(() => {});
}

const waiting = [...list];
// A machine that does something else can make a page late; nothing else is forgiven.
const again = [];
const hands = Math.max(1, Number(process.env.OUTFLANK_BROWSER_JOBS ?? 2));
try {
  await Promise.all(
    Array.from({ length: hands }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await one(next);
    }),
  );
  if (again.length > 0) console.log(`once more, alone: ${again.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`);
  for (const test of again) await one(test, true);
} finally {
  await browser.close();
  for (const run of Object.values(runs)) run.stop();
}
console.log(`${list.length - failed} of ${list.length} passed (${kinds.join(', ')})`);
process.exit(failed > 0 ? 1 : 0);
