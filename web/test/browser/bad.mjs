// What comes in from outside: every form of game, and whatever is damaged. None of it may cost the game on the board.
import { execFileSync } from 'node:child_process';
import { PROGRAM, discs, equal, leaveBoard, status, until } from './page.mjs';
import { OVER } from './study.mjs';

const QUEST = `{"name":"player","args":[{"gtype":"reversi1","players":[{"id":"a","name":"Ada","oldR":1500.5},{"id":"b","name":"Bob"}],"position":{"moves":[{"t":1,"m":"e6"},{"t":218,"m":"f6"}]},"tcb":60000,"created":"2024-12-24T00:00:00.000Z","finished":false}]}`;

/** Text, moves played (0: a position), and discs where it is one. */
const FORMS = [
  ['F5 D6 C3 D3 C4', 5],
  ['1. f5 d6 2. c3 d3 3. c4', 5],
  ['(;GM[Othello]PC[x]DT[1]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)', 3],
  ['(;GM[2]SZ[8];B[f5];W[d6])', 2],
  ['(;GM[2]SZ[8];B[f5](;W[d6])(;W[f6]C[here]))', 2],
  ['[Event "?"]\n[Black "x"]\n[White "y"]\n[Result "37-27"]\n\n1. f5 d6 2. c3 d3 37-27', 4],
  [QUEST, 2],
  ['{"requests":[{"x":-1,"y":-1},{"x":2,"y":2}],"responses":[{"x":2,"y":3}]}', 2],
  ['["f5", "d6", "c3"]', 3],
  ['O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X', 0],
  ['--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;', 0],
  ['[8 ---------------------------O*------*O--------------------------- *]', 0],
  ['8/8/8/3Pp3/3pP3/8/8/8 w', 0],
  ['see http://example.org/game?moves=f5d6c3d3c4f4f6f3 for more', 8],
];

async function paste(page, text) {
  await leaveBoard(page);
  await page.keyboard.press('p');
  await page.locator('dialog textarea').fill(text);
  await page.locator('dialog button[type=submit]').click();
}

export async function paste_of_every_form(open) {
  const page = await open({ hash: '#/analyze' });
  await until('the engine', () => page.$('.engine-state.ready'));
  const wrong = [];
  for (const [text, moves] of FORMS) {
    await page.evaluate(() => (location.hash = '#/analyze/d3'));
    await until('the game before', async () => (await discs(page)).join() === '4,1');
    try {
      await paste(page, text);
      await until('something found', () => page.$('.found li'), 5000);
      await page.locator('dialog button[type=submit]').click();
      await until('the sheet to close', async () => !(await page.$('dialog')), 5000);
      if (moves > 0) await until('the game', async () => (await discs(page)).map(Number).reduce((a, b) => a + b) === 4 + moves, 5000);
      else await until('the position', async () => (await page.locator('.walk button').first().isDisabled()) && (await status(page)).startsWith('Black to move'), 5000);
    } catch (error) {
      wrong.push(`${text.slice(0, 60)}: ${error.message}`);
      await page.keyboard.press('Escape');
    }
  }
  if (wrong.length > 0) throw new Error(`\n${wrong.join('\n')}`);
}
paste_of_every_form.long = 3;

export async function a_damaged_paste_keeps_the_game(open) {
  const page = await open({ hash: '#/analyze/f5d6c3' });
  await until('the engine', () => page.$('.engine-state.ready'));
  for (const text of ['hello world', '(;GM[Othello]PB[a', '{"requests":', '[8 ----', '\u0000\u0001\uffff', '<script>globalThis.hacked = 1</script>']) {
    await paste(page, text);
    await until(`the message for ${text}`, () => page.$('dialog .warning'));
    await page.keyboard.press('Escape');
    equal(await discs(page), ['5', '2'], 'the board is as it was');
  }
  equal(await page.evaluate(() => globalThis.hacked ?? null), null, 'script');
  // Of a game with an illegal move the beginning is offered; nothing happens by itself.
  await paste(page, 'f5d6c3d3c4a1');
  await until('the beginning', () => page.$('.found li'));
  await page.keyboard.press('Escape');
  equal(await discs(page), ['5', '2'], 'the board is as it was');
}

export async function a_damaged_file_keeps_the_game(open) {
  const page = await open({ hash: '#/analyze/f5d6c3' });
  await until('the engine', () => page.$('.engine-state.ready'));
  const drop = (bytes, name, times = 1) =>
    page.evaluate(
      ([content, called, n]) => {
        const data = new DataTransfer();
        data.items.add(new File(Array(n).fill(new Uint8Array(content)), called));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [bytes, name, times],
    );
  await drop([0, 255, 1, 254, 7, 7, 7], 'broken.wtb');
  await until('the message', () => page.$('dialog .warning'));
  await page.keyboard.press('Escape');
  await drop([...new TextEncoder().encode('(;GM[Othello]BO[8 --')], 'broken.ggf');
  await until('the message', () => page.$('dialog .warning'));
  await page.keyboard.press('Escape');
  equal(await discs(page), ['5', '2'], 'the board is as it was');
  await drop(Array(1200).fill(102), 'large.txt', 1000);
  await until('the message about its size', async () => /more than/.test((await page.locator('.toast, dialog .warning').allInnerTexts()).join()));
  equal(await discs(page), ['5', '2'], 'the board is as it was');
}

export async function damaged_link_keeps_the_game(open) {
  const page = await open({ hash: '#/analyze/f5d6c3' });
  for (const link of ['zzzz', '%E0%A4%A', '(((', 'f5d6c3?n=!!!!', '~~~', 'g99z:h8']) {
    await page.evaluate((to) => (location.hash = `#/analyze/${to}`), link);
    await until(`the message for ${link}`, () => page.$('.banner[role=alert]'));
    equal(await discs(page), ['5', '2'], `discs after ${link}`);
    await page.locator('.banner button').click();
  }
  // A whole game by link moves the one before it to the library.
  await page.evaluate(() => (location.hash = '#/analyze/f5f6e6f4'));
  await until('the game of the link', async () => (await discs(page)).map(Number).reduce((a, b) => a + b) === 8);
  await page.evaluate(() => (location.hash = '#/library'));
  await until('the game before in the library', async () => (await page.locator('.game-card').count()) === 1);
}

/** The server sends nonsense and goes away; the board plays on, and the next connection answers. */
export async function damaged_messages_keep_the_game(open) {
  let sockets = 0;
  const page = await open({
    hash: '#/analyze/f5d6c3',
    before: (fresh) =>
      fresh.routeWebSocket(/\/ws$/, (socket) => {
        const server = socket.connectToServer();
        sockets += 1;
        if (sockets > 1) return;
        server.onMessage((message) => {
          socket.send(message);
          for (const wrong of ['', '{', '[]', '7', 'null', '{"id":1}', '{"id":"x","event":3}', '{"id":99,"done":{}}', '{"id":2,"event":{"lines":7}}']) socket.send(wrong);
        });
        setTimeout(() => socket.close({ code: 1011 }), 2500);
      }),
  });
  await leaveBoard(page);
  await page.keyboard.press('e');
  await until('a second connection', () => sockets > 1);
  await until('values', async () => (await page.locator('.value').count()) > 1);
  equal(await discs(page), ['5', '2'], 'discs');
  page.complaints = page.complaints.filter((text) => !/unreadable message/.test(text));
}
damaged_messages_keep_the_game.only = 'served';

/** The table of the page says what `outflank review --json` prints. */
export async function review_is_that_of_the_command_line(open) {
  const level = 6;
  const printed = execFileSync(PROGRAM, ['review', OVER, '--level', String(level), '--threads', '1', '--json'], { encoding: 'utf8' });
  const events = printed.trim().split('\n').map((line) => JSON.parse(line));
  const moves = events.filter((event) => 'loss' in event && 'number' in event);
  const summary = events.find((event) => 'summary' in event)?.summary;
  const page = await open({ hash: `#/analyze/${OVER}`, width: 1280, height: 900 });
  await until('the engine', () => page.$('.engine-state.ready'));
  await page.keyboard.press('g');
  await page.locator('.choose input[value=quick]').check({ force: true });
  await page.getByRole('button', { name: 'Review the game' }).click();
  await until('the totals', () => page.$('.figures caption'), 90_000);
  await page.locator('summary', { hasText: 'The same as a table' }).click();
  const rows = await page.$$eval('details table.figures tbody tr', (found) => found.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
  const number = (value, digits = 0) => new Intl.NumberFormat('en', { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value);
  const signed = (value, digits) => {
    const rounded = Math.round(value * 10 ** digits) / 10 ** digits;
    return rounded === 0 ? number(0, digits) : `${rounded > 0 ? '+' : '−'}${number(Math.abs(rounded), digits)}`;
  };
  const shown = new Map(rows.map(([name, value, worth, best, loss]) => [Number.parseInt(name, 10), { value, worth, best, loss }]));
  for (const move of moves) {
    const row = shown.get(move.number);
    if (!row) throw new Error(`no row for move ${move.number}`);
    const black = move.side === 'X' ? move.value : -move.value;
    const wanted = { value: signed(black, move.exact ? 0 : 1), worth: move.exact ? 'exact' : 'estimate', best: move.best ?? '', loss: `${number(move.loss, 1)} ${move.mark}`.trim() };
    equal(row, wanted, `move ${move.number}`);
  }
  if (moves.length < 60) throw new Error(`${moves.length} moves were judged`);
  const totals = await page.$$eval('table.figures:has(caption) tbody tr', (found) => found.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
  for (const [i, side] of ['black', 'white'].entries()) {
    const { by_phase: phases, loss, marks } = summary[side];
    equal(totals[i].slice(1), [...phases.map((each) => number(each, 1)), number(loss, 1), marks.join(' / ')], side);
  }
}
