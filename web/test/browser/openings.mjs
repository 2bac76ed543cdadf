// The openings screen: names, the book, games of a person's own files and of the server, a lost connection, drills.
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { equal, leaveBoard, open as openPage, square, tabTo, until } from './page.mjs';
import { OVER } from './study.mjs';

const row = (page, move) => page.locator(`.explore tr[data-move="${move}"]`);
const add = (page, files) => page.locator('.game-files input[type=file]').setInputFiles(files);
const listed = (page) => page.locator('.files li').allInnerTexts();

const WIPE_OUT = 'e6f4e3f6g5d6e7f5c5';

/** Two games of WTHOR, which is binary: a header, then 68 bytes for each game, 60 of them moves as row and column. */
function wthor() {
  const games = [OVER, WIPE_OUT].map((text) => text.match(/../g).map((name) => Number(name[1]) * 10 + name.charCodeAt(0) - 96));
  const file = Buffer.alloc(16 + 2 * 68);
  file[0] = 20;
  file[1] = 1;
  file.writeUInt32LE(2, 4);
  file.writeUInt16LE(2001, 10);
  file[12] = 8;
  games.forEach((moves, game) => {
    const at = 16 + game * 68;
    file[at + 6] = file[at + 7] = 64 - 11 * (1 - game);
    moves.forEach((move, i) => (file[at + 8 + i] = move));
  });
  return file;
}

export async function openings_found_by_name(open) {
  const page = await open({ hash: '#/explore' });
  for (const [text, name] of [['tiger', 'Tiger'], ['虎', 'Tiger'], ['tora', 'Tiger']]) {
    await tabTo(page, '.find input');
    await page.keyboard.type(text);
    await until('the names', async () => (await page.locator('.find .found button').allInnerTexts()).some((found) => found.includes(name)));
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
  }
  await page.keyboard.type('tiger');
  await until('the names', async () => (await page.locator('.find .found button').count()) > 0);
  await page.keyboard.press('Enter');
  await until('the opening', async () => /Tiger/.test(await page.locator('.panel .opening').innerText()));
  if (!/[a-h][1-8]/.test(page.url())) throw new Error('the moves are not on the board');
  await page.locator('.find input').fill('no such name');
  await until('nothing', async () => (await page.locator('.find').innerText()).includes('Nothing fits'));
}

export async function book_values_with_their_worth(open) {
  const page = await open({ width: 1280, height: 800, hash: '#/explore/f5' });
  await until('the book', async () => /≈/.test(await row(page, 'd6').innerText()));
  if (!/grade [A-F]/.test(await row(page, 'd6').innerText())) throw new Error('no worth beside the value of the book');
  if ((await page.locator('.value.book .corner').count()) < 2) throw new Error('no values of the book on the squares');
  if (!/book, about/.test(await square(page, 'd6').getAttribute('aria-label'))) throw new Error('the value is not said');
  await row(page, 'd6').locator('button').click();
  await until('the name', async () => /Perpendicular/.test(await page.locator('.panel .opening').innerText()));
  // Another move begins a variation, and a fork lists both.
  await leaveBoard(page);
  await page.keyboard.press('ArrowLeft');
  await row(page, 'f6').locator('button').click();
  await page.keyboard.press('ArrowLeft');
  await until('the fork', async () => (await page.locator('.fork button').count()) === 2);
}

export async function own_files_are_counted_and_kept(open) {
  const page = await open({ hash: '#/explore' });
  await add(page, [
    { name: 'two.wtb', mimeType: 'application/octet-stream', buffer: wthor() },
    { name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('f5d6c3\nf5d6c3x9\n') },
  ]);
  await until('the files', async () => (await listed(page)).length === 2);
  const files = (await listed(page)).join(' ');
  if (!/two\.wtb\s*2 games/.test(files) || !/more\.txt\s*1 game · 1 not readable/.test(files)) throw new Error(files);
  await until('the counts', async () => /3 games/.test(await row(page, 'd3').locator('.games-cell').innerText()));
  // All of them again after a reload, though the engine has begun anew.
  await page.reload();
  await until('the counts', async () => (await row(page, 'd3').count()) > 0 && /3 games/.test(await row(page, 'd3').locator('.games-cell').innerText()));
  await page.locator('.files button').last().click();
  await until('one file', async () => (await listed(page)).length === 1);
  await page.locator('.files button').first().click();
  await until('no file', async () => (await listed(page)).length === 0);
  await until('no counts', async () => !/\d/.test(await row(page, 'd3').locator('.games-cell').innerText()));
}

export async function drills_of_the_book(open) {
  const page = await open({ width: 1280, height: 800, hash: '#/explore/f5d6' });
  await until('the book', async () => (await page.locator('.explore').innerText()).includes('≈'));
  await page.getByText('Drill openings').click();
  await page.getByRole('button', { name: 'Drill the book as Black' }).click();
  await until('the drills', () => page.$('.toast'), 60_000);
  const kept = Number(/(\d+)/.exec(await page.locator('.toast').innerText())?.[1]);
  if (!(kept >= 3)) throw new Error(`${kept} drills`);
  await page.locator('.toast button').first().click();
  await until('the drill', () => page.$('.table .square.can'));
}

/** Stands between page and server, so that a connection can be cut as a network cuts it: without a word. */
async function between(url) {
  const target = new URL(url);
  const sockets = new Set();
  const headers = (given) => ({ ...given, host: target.host, ...(given.origin && { origin: target.origin }) });
  const server = createServer((asked, answer) => {
    const onward = request({ host: target.hostname, port: target.port, path: asked.url, method: asked.method, headers: headers(asked.headers) }, (found) => {
      answer.writeHead(found.statusCode, found.headers);
      found.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  server.on('upgrade', (asked, socket) => {
    const onward = connect(Number(target.port), target.hostname, () => {
      const lines = Object.entries(headers(asked.headers)).map(([name, value]) => `${name}: ${value}\r\n`);
      onward.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      socket.pipe(onward).pipe(socket);
    });
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => {});
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    cut: () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export async function a_cut_connection_costs_nothing(open, run) {
  const middle = await between(run.url);
  try {
    const page = await openPage({ ...run, url: middle.url }, { hash: '#/explore' });
    const sent = [];
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
    await page.reload();
    await until('the engine', () => page.$('.engine-state.ready'));
    await add(page, [{ name: 'two.wtb', mimeType: 'application/octet-stream', buffer: wthor() }]);
    await until('the counts', async () => /2 games/.test(await row(page, 'd3').locator('.games-cell').innerText()));
    sent.length = 0;
    middle.cut();
    await until('the loss', () => page.$('.engine-state.reconnecting'));
    await until('the engine', () => page.$('.engine-state.ready'), 20_000);
    const hello = sent.find(({ call }) => call === 'hello');
    if (!hello?.session) throw new Error('the session is not said');
    await square(page, 'd3').click();
    await until('the counts', async () => (await row(page, 'c5').count()) > 0 && /2 games/.test(await row(page, 'c5').locator('.games-cell').innerText()));
    equal(sent.filter(({ add: games }) => games).length, 0, 'files sent again');
    // A search goes on, too.
    await page.keyboard.press('Escape');
    await page.evaluate(() => (location.hash = '#/analyze/f5d6c3'));
    await page.keyboard.press('e');
    await until('values', async () => (await page.locator('.value').count()) > 1);
    middle.cut();
    await until('the loss', () => page.$('.engine-state.reconnecting'));
    await until('the engine', () => page.$('.engine-state.ready'), 20_000);
    await until('the search', () => page.$('.top .icon-stop'));
    await page.context().close();
  } finally {
    middle.stop();
  }
}

a_cut_connection_costs_nothing.only = 'served';
