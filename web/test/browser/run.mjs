// The page in a real browser. `npm run test:browser` runs everything; words after `--` choose tests by name.
import { open, start } from './page.mjs';
import * as access from './access.mjs';
import * as games from './games.mjs';
import * as study from './study.mjs';
import * as shots from './shots.mjs';

const wanted = process.argv.slice(2);
const tests = Object.entries({ ...games, ...study, ...access, ...shots }).filter(([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
const run = await start();
let failed = 0;
try {
  for (const [name, test] of tests) {
    const begun = Date.now();
    const pages = [];
    try {
      await test(async (options) => {
        const page = await open(run, options);
        pages.push(page);
        return page;
      }, run);
      for (const page of pages) if (page.complaints.length > 0) throw new Error(`the browser complains: ${page.complaints.join(' | ')}`);
      console.log(`ok   ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}: ${error.message.startsWith('\n') ? error.message : error.stack?.split('\n').slice(0, 4).join('\n     ')}`);
      await pages.at(-1)?.screenshot({ path: new URL(`../../shots/FAIL-${name}.png`, import.meta.url).pathname }).catch(() => {});
    }
    for (const page of pages) await page.context().close();
  }
} finally {
  await run.stop();
}
console.log(`${tests.length - failed} of ${tests.length} passed`);
process.exit(failed > 0 ? 1 : 0);
