// The figures of the page: `npm run measure`, with the server's program in OUTFLANK_BIN and the folder of
// `cargo xtask web site`. Prints a table for docs/web.md; nothing else should run meanwhile.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { moduleBytes, startModule } from './module.mjs';
import { PROGRAM, SITE, open, start, startBrowser, until } from './page.mjs';
import { OVER } from './study.mjs';
import { serve } from './site.mjs';

const wanted = process.argv.slice(2);
const rows = [];
const row = (what, budget, found) => {
  rows.push([what, budget, found]);
  console.log(`${what} | ${budget} | ${found}`);
};
const sorted = (all) => [...all].sort((a, b) => a - b);
const median = (all) => sorted(all)[Math.floor(all.length / 2)];
const part = (all, share) => sorted(all)[Math.min(all.length - 1, Math.ceil(all.length * share) - 1)];
const ms = (time) => `${Math.round(time)} ms`;
const megabytes = (bytes, places) => `${(bytes / 1e6).toFixed(places)} MB`;

const browser = await startBrowser();
const served = await start(browser, 'served');
const folder = { browser, kind: 'static', ...(await serve(SITE, { packed: true })) };
const RUNS = { served, static: folder };

async function slowed(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 40, downloadThroughput: 200_000, uploadThroughput: 200_000 });
}

/** Says when the board has its squares and listens. */
const noteBoard = (page) =>
  page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('.table [data-square="f5"]')) globalThis.boardAt = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

/** Milliseconds from calling `act` in the page until `reached` holds there, by frames. */
const timed = (page, act, reached, argument) =>
  page.evaluate(
    ([first, second, given]) =>
      new Promise((done) => {
        const test = new Function('given', `return (${second})(given)`);
        const begun = performance.now();
        new Function('given', `return (${first})(given)`)(given);
        const look = () => (test(given) ? done(performance.now() - begun) : setTimeout(look, 2));
        look();
      }),
    [String(act), String(reached), argument],
  );

const press = (key) => window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

async function boards() {
  for (const [kind, run] of Object.entries(RUNS)) {
    for (const slow of [false, true]) {
      const times = [];
      for (let i = 0; i < 5; i += 1) {
        const page = await open(run, { width: slow ? 360 : 1280, height: slow ? 640 : 800, before: async (fresh) => (await noteBoard(fresh), slow && (await slowed(fresh))) });
        times.push(await page.evaluate(() => globalThis.boardAt));
        await page.context().close();
      }
      row(`board usable, ${kind}, ${slow ? '4× slower, 1.6 Mbit/s' : 'normal'}`, slow ? '1,500 ms' : '500 ms', ms(median(times)));
    }
  }
}

/** A second visit, with what the offline worker keeps. */
async function secondVisit(options) {
  const page = await open(folder, { workers: 'allow', ...options });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await until('the engine', () => page.$('.engine-state.ready'), 60_000);
  await page.waitForTimeout(1500);
  return page;
}

async function engines() {
  const page = await secondVisit({ hash: '#/analyze/f5d6c3' });
  await page.addInitScript(() => {
    const look = () => (document.querySelector('.engine-state.ready') ? (globalThis.readyAt = performance.now()) : setTimeout(look, 2));
    look();
  });
  const times = [];
  for (let i = 0; i < 5; i += 1) {
    await page.reload();
    await until('the engine', () => page.evaluate(() => globalThis.readyAt ?? 0));
    times.push(await page.evaluate(() => globalThis.readyAt));
  }
  row('engine ready from the start of loading, static, cached', '300 ms after the board', ms(median(times)));
  await page.context().close();
}

const VALUES = '#/analyze/f5d6c3d3c4f4f6f3e6';
/** 12 empty squares. */
const TWELVE = '---XXXXX--OOOOO--OOOOOO--OOOOXOO-OOXOOXOOOXOOOXXOOOXOXXX--XXXXXOX';

async function values() {
  for (const [kind, run] of Object.entries(RUNS)) {
    for (const slow of [false, true]) {
      const times = [];
      const page = await open(run, { hash: VALUES, width: 1280, height: 800, settings: { seconds: 1 } });
      await until('the engine', () => page.$('.engine-state.ready'), 60_000);
      await page.waitForTimeout(2500);
      if (slow) await slowed(page);
      await page.keyboard.press('e');
      await until('values', async () => (await page.locator('.value').count()) > 1);
      for (let i = 0; i < 5; i += 1) {
        await page.waitForTimeout(1400);
        times.push(
          await timed(
            page,
            () => document.querySelector('.table .square.can').click(),
            // What is on the page at first are the values of the position before.
            (before) =>
              document.querySelector('.table .score').textContent !== before &&
              document.querySelectorAll('.table .square.can').length > 0 &&
              document.querySelectorAll('.table .value').length === document.querySelectorAll('.table .square.can').length,
            await page.locator('.table .score').textContent(),
          ),
        );
      }
      await page.context().close();
      row(`values on all squares after a move, ${kind}${slow ? ', 4× slower' : ''}`, slow ? '400 ms' : '150 ms', `${ms(median(times))} (most ${ms(Math.max(...times))})`);
    }
    const times = [];
    for (let i = 0; i < 5; i += 1) {
      const page = await open(run, { hash: `#/analyze/${TWELVE}~`, width: 1280, height: 800 });
      await until('the engine', () => page.$('.engine-state.ready'), 60_000);
      await page.waitForTimeout(2500);
      times.push(
        await timed(page, press, () => {
          const all = document.querySelectorAll('.line-row .figure');
          return all.length > 0 && all.length === document.querySelectorAll('.table .square.can').length && [...all].every((each) => each.classList.contains('exact'));
        }, 'e'),
      );
      await page.context().close();
    }
    row(`exact values of all moves from 12 empties, ${kind}`, '300 ms', ms(median(times)));
  }
}

async function stops() {
  for (const kind of ['served', 'static, isolated', 'static, first visit']) {
    const options = { hash: '#/analyze/f5d6c3', width: 1280, height: 800, settings: { seconds: 600 } };
    const page = kind === 'static, isolated' ? await secondVisit(options) : await open(kind === 'served' ? served : folder, options);
    await until('the engine', () => page.$('.engine-state.ready'), 60_000);
    await page.waitForTimeout(2000);
    const budget = kind === 'static, first visit' ? 200 : 50;
    const times = [];
    for (let i = 0; i < 100; i += 1) {
      await page.evaluate(press, 'e');
      await until('the search', () => page.$('.top .icon-stop'));
      await page.waitForTimeout(120 + ((i * 37) % 500));
      times.push(await timed(page, press, () => !document.querySelector('.top .icon-stop'), 'e'));
    }
    row(`stop, ${kind}`, `${budget} ms, 99 of 100`, `${times.filter((time) => time <= budget).length} of 100; median ${ms(median(times))}, 99th ${ms(part(times, 0.99))}`);
    await page.context().close();
  }
}

/** From the question to the first line of an answer, over a connection that is there. */
async function lines() {
  const page = await open(served, { hash: '#/play' });
  const times = await page.evaluate(async () => {
    const socket = new WebSocket(new URL('./ws', location.href).href.replace(/^http/, 'ws'));
    const answer = (id) =>
      new Promise((done) => {
        const take = ({ data }) => {
          const message = JSON.parse(data);
          if (message.id !== id || (!message.event && !message.done)) return;
          socket.removeEventListener('message', take);
          done(message);
        };
        socket.addEventListener('message', take);
      });
    await new Promise((done) => socket.addEventListener('open', done));
    const send = (message) => socket.send(JSON.stringify(message));
    send({ id: 1, call: 'hello', protocol: 1 });
    await answer(1);
    const found = [];
    for (let id = 2; id < 23; id += 1) {
      const begun = performance.now();
      send({ id, call: 'analyze', input: { text: 'f5d6c3d3c4f4f6f3e6'.slice(0, 4 + 2 * (id % 7)) }, limits: { seconds: 0.2 }, progress: true });
      await answer(id);
      // The first one makes the engine.
      if (id > 2) found.push(performance.now() - begun);
      send({ cancel: id });
      await new Promise((done) => setTimeout(done, 300));
    }
    socket.close();
    return found;
  });
  row('first line of an analysis, served', '20 ms', `${ms(median(times))} (95th percentile ${ms(part(times, 0.95))})`);
  await page.context().close();
}

async function steps() {
  const page = await open(served, { hash: `#/analyze/${OVER}`, width: 1280, height: 800 });
  await page.waitForTimeout(1000);
  const found = await page.evaluate(async () => {
    let longest = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (longest = Math.max(longest, entry.duration)))).observe({ type: 'longtask' });
    const times = [];
    const go = async (key) => {
      const begun = performance.now();
      window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      // What has to be drawn is in the page when a task after the next one begins.
      await new Promise((done) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done();
        queueMicrotask(() => channel.port2.postMessage(0));
      });
      void document.querySelector('.picture').getBoundingClientRect();
      times.push(performance.now() - begun);
      await new Promise((done) => setTimeout(done, 40));
    };
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 60; i += 1) await go('ArrowLeft');
      for (let i = 0; i < 60; i += 1) await go('ArrowRight');
    }
    return { times, longest };
  });
  row('step through a game, 95th percentile', '16 ms', `${part(found.times, 0.95).toFixed(1)} ms (median ${median(found.times).toFixed(1)})`);
  // Other work on the machine lengthens what a clock shows; the processor time of the page's thread it does not.
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  const plies = [];
  for (let i = 0; i < 120; i += 1) {
    const before = await spent();
    await page.evaluate((key) => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }, i < 60 ? 'ArrowLeft' : 'ArrowRight');
    plies.push((await spent()) - before);
  }
  row('the same in processor time of the page, drawing included', '16 ms', `${part(plies, 0.95).toFixed(1)} ms (median ${median(plies).toFixed(1)})`);
  row('longest task meanwhile', '50 ms', found.longest === 0 ? 'none over 50 ms' : ms(found.longest));
  await page.context().close();
}

/** Bytes that the largest process of pages has for itself. */
async function privateBytes() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => Number(/^Private_Dirty:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))[1]) * 1024);
  return Math.max(...sizes);
}

async function memory() {
  const blank = await browser.newPage();
  const before = await privateBytes();
  await blank.close();
  const page = await secondVisit({ hash: `#/analyze/${OVER}@40`, width: 1280, height: 800, settings: { seconds: 3, tableMegabytes: 64 } });
  await page.keyboard.press('e');
  await page.waitForTimeout(4000);
  const table = 64 * 1_048_576;
  const own = (await privateBytes()) - before;
  let { bytes } = await page.evaluate(() => performance.measureUserAgentSpecificMemory());
  await page.context().close();
  if (bytes < table) {
    // Chromium 156 leaves the memory of modules out: it is that of the same search under Node.
    const ask = startModule();
    ask({ id: 1, call: 'analyze', input: { text: OVER.slice(0, 80) }, lines: 64, limits: { seconds: 3 } });
    bytes += ask.memory.buffer.byteLength;
  }
  row('memory of the page with its worker, beside the table', '60 MB', `${megabytes(bytes - table, 1)}; of its process, with the code and beside what an empty page has, ${megabytes(own - table, 1)}`);
}

function sizes() {
  const bytes = moduleBytes();
  row('module, gzip: weights, book, puzzles and both engines', '4 MB', `${megabytes(gzipSync(bytes, { level: 9 }).length, 2)} (brotli ${megabytes(brotliCompressSync(bytes).length, 2)}, unpacked ${megabytes(bytes.length, 2)})`);
}

async function tables() {
  // Larger than a module of 32 bits can have.
  const page = await open(folder, { hash: '#/analyze/f5d6c3', settings: { tableMegabytes: 4096, seconds: 1 } });
  await until('the engine or its end', () => page.$('.engine-state.ready, .engine-state.failed'), 60_000);
  await page.keyboard.press('e');
  await until('values', async () => (await page.locator('.value').count()) > 1, 60_000);
  await page.evaluate(() => (location.hash = '#/settings'));
  await until('the settings', () => page.$('dl.facts'));
  const facts = (await page.locator('dl.facts').innerText()).replaceAll('\n', ' ');
  row('a table of 4 GB, which does not fit', 'half of it, and so on', /(\d[\d,]* MB)/.exec(facts)?.[1] ?? facts);
  await page.context().close();
}

/** Two empty squares: what the program needs without a search. */
const FINISHED = 'XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-- X';

/** FFO 40 to 44 at one thread: the module under Node against the program. */
function speed() {
  const list = readFileSync(resolve(import.meta.dirname, 'ffo40-44.obf'), 'utf8').trim().split('\n').map((line) => line.split(';')[0].trim());
  const answers = startModule();
  const ask = (message) => answers(message).flatMap(({ event }) => (event && 'board' in event ? [event] : []));
  ask({ id: 1, call: 'solve', input: { text: list[0] }, seconds: 0.1 });
  /** Seconds of the processor for a command, since other work on the machine lengthens what a clock shows. */
  const native = (text) => {
    const { stdout, stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT=%U; time "$0" "$@"', PROGRAM, 'solve', text, '--threads', '1', '--hash', '64', '--json'], { encoding: 'utf8' });
    const [event] = stdout.trim().split('\n').map((line) => JSON.parse(line)).filter((each) => 'board' in each);
    return { ...event, seconds: Number(stderr.trim().split('\n').at(-1)) };
  };
  const mine = (text) => {
    ask({ id: 2, call: 'forget' });
    const before = process.cpuUsage().user;
    const [event] = ask({ id: 3, call: 'solve', input: { text } });
    return { ...event, seconds: (process.cpuUsage().user - before) / 1e6 };
  };
  // To start, and to unpack the weights, is no search.
  const started = Math.min(...[0, 1, 2].map(() => native(FINISHED).seconds));
  const woken = Math.min(...[0, 1, 2].map(() => mine(FINISHED).seconds));
  const sums = { wasm: [0, 0], native: [0, 0] };
  const shares = [];
  for (const text of list) {
    const runs = Array.from({ length: 3 }, () => [mine(text), native(text)]);
    const [[own, other]] = runs;
    if (own.value !== other.value || own.nodes !== other.nodes) throw new Error(`${text}: ${own.value} and ${other.value}, ${own.nodes} and ${other.nodes} nodes`);
    const seconds = [Math.min(...runs.map(([each]) => each.seconds)) - woken, Math.min(...runs.map(([, each]) => each.seconds)) - started];
    for (const [i, name] of ['wasm', 'native'].entries()) {
      sums[name][0] += own.nodes;
      sums[name][1] += seconds[i];
    }
    shares.push(seconds[1] / seconds[0]);
    console.log(`     ${text.slice(0, 20)}…: ${own.nodes} nodes, ${seconds.map((each) => each.toFixed(2)).join(' and ')} s`);
  }
  const [wasm, whole] = Object.values(sums).map(([nodes, seconds]) => nodes / seconds / 1e6);
  row('nodes a second on FFO 40–44, WebAssembly under Node', '60 % of native', `${wasm.toFixed(1)} of ${whole.toFixed(1)} million, ${Math.round((100 * wasm) / whole)} % (by position ${Math.round(100 * Math.min(...shares))} to ${Math.round(100 * Math.max(...shares))} %)`);
}

const all = { sizes, boards, engines, values, stops, lines, steps, memory, tables, speed };
const load = () => loadavg()[0].toFixed(1);
console.log(`${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0].model.trim()}), ${browser.version()}, load ${load()}`);
try {
  for (const [name, measure] of Object.entries(all)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    try {
      await measure();
    } catch (error) {
      row(name, '', `not measured: ${error.message.split('\n')[0]}`);
    }
  }
} finally {
  await browser.close();
  served.stop();
  folder.stop();
}
console.log(`\nLoad at the end ${load()}.\n\n| what | budget | found |\n| --- | --- | --- |\n${rows.map((each) => `| ${each.join(' | ')} |`).join('\n')}`);
process.exit(0);
