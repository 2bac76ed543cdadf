// One dialogue, two engines: the module under Node answers as the server does, message by message and node by node.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startModule } from './module.mjs';
import { PROGRAM, equal, open as openPage, start } from './page.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
const SEEDS = join(ROOT, 'fuzz/seeds/message');

/** Openings of `outflank bench`. */
const OPENINGS = ['f5d6c4d3c2b3b4b5', 'f5f6d3c5d6c7b5e3', 'f5f4e3d2c3e6e1g5', 'f5d6c3d3c4f4f6g5'];
const GOMOKU = [['freestyle', 'h8i9g6j5e10k11'], ['standard', 'h8i8j6i7f7g6'], ['renju', 'h8i9j10i8i7g9'], ['caro', 'h8h9j9j8f8i7']];

/** Damaged ones, which must be refused in the same words. */
const WRONG = ['', '{', '[]', '7', '{"id":"x"}', '{"id":5}', '{"id":5,"call":"analyze"}', '{"id":5,"call":"analyze","input":{"text":"f5f5"}}', '{"id":5,"call":"show","input":{"path":"/etc/passwd"}}', '{"id":5,"call":"convert","input":{"text":"f5"},"to":"nonsense"}', '{"id":5,"call":"solve","input":{"text":"hello"}}'];

/** One message of every call that both know; the module has no matches, and no list of levels that takes time. */
const seeds = () =>
  readdirSync(SEEDS)
    .filter((name) => !['hello', 'cancel', 'levels', 'players'].includes(name))
    .map((name) => readFileSync(join(SEEDS, name), 'utf8').trim());

const searches = () => [
  ...OPENINGS.map((text) => ({ call: 'analyze', input: { text }, lines: 1, limits: { depth: 12 } })),
  ...readFileSync(join(ROOT, 'data/fforum-1-19.obf'), 'utf8').trim().split('\n').map((line) => ({ call: 'solve', input: { text: line.split(';')[0].trim() } })),
  ...GOMOKU.map(([rule, text]) => ({ call: 'analyze', game: 'gomoku', rules: { rule, size: 15 }, input: { text }, limits: { nodes: 20_000 } })),
];

const OWN = new Set(['seconds', 'nps', 'nodes_per_second', 'time']);
/** An answer without what a clock says. */
const timeless = (value) =>
  Array.isArray(value)
    ? value.map(timeless)
    : value && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !OWN.has(name)).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, timeless(part)]))
      : value;

/** What a served page hears, message after message. */
const served = (page, messages) =>
  page.evaluate(async (texts) => {
    const socket = new WebSocket(new URL('./ws', location.href).href.replace(/^http/, 'ws'));
    await new Promise((done) => socket.addEventListener('open', done));
    let heard = [];
    let end = () => {};
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data);
      heard.push(message);
      if (message.done || message.error) end();
    });
    const ask = async (text) => {
      heard = [];
      const answered = new Promise((done) => (end = done));
      socket.send(text);
      await answered;
      // No faster than a server takes messages.
      await new Promise((done) => setTimeout(done, 55));
      return heard;
    };
    await ask('{"id":1,"call":"hello","protocol":1}');
    const all = [];
    for (const text of texts) all.push(await ask(text));
    socket.close();
    return all;
  }, messages);

export async function both_engines_give_the_same_answers(open, run) {
  const before = [...seeds(), ...WRONG];
  const first = before.length;
  const messages = [...before, ...searches().flatMap((search) => ['{"id":2,"call":"forget"}', JSON.stringify({ id: 3, ...search })])];
  const server = await start(run.browser, 'served', ['--threads', '1']);
  let theirs;
  try {
    const page = await openPage(server, { hash: '#/settings' });
    theirs = await served(page, messages);
    await page.context().close();
  } finally {
    server.stop();
  }
  const ask = startModule();
  ask({ id: 1, call: 'hello', protocol: 1 });
  const wrong = [];
  let nodes = 0;
  messages.forEach((message, i) => {
    const own = JSON.stringify(timeless(ask(message)));
    const other = JSON.stringify(timeless(theirs[i]));
    if (i >= first && !message.includes('gomoku')) for (const { event } of theirs[i]) if (event && 'board' in event) nodes += event.nodes;
    if (own === other) return;
    let at = 0;
    while (own[at] === other[at]) at += 1;
    wrong.push(`${message.slice(0, 110)}\n  module …${own.slice(Math.max(0, at - 60), at + 80)}\n  server …${other.slice(Math.max(0, at - 60), at + 80)}`);
  });
  if (wrong.length > 0) throw new Error(`\n${wrong.join('\n')}`);
  equal(nodes, JSON.parse(execFileSync(PROGRAM, ['bench', '--json'], { encoding: 'utf8' })).signature, 'nodes of the positions of `outflank bench`');
}
Object.assign(both_engines_give_the_same_answers, { only: 'static', long: 6 });
