// Play: choose an opponent, then a game with clock, hints and take-back.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { number, signed, t, type Key } from '../i18n';
import * as analysis from '../app/analysis';
import { announce, toast } from '../app/announce';
import * as doc from '../app/document';
import { askAll, engineState } from '../app/engine';
import * as matches from '../app/match';
import { match, NAMED, opponentOf, type Start } from '../app/match';
import { save } from '../app/keep';
import { opening, openingLanguage, openingText } from '../app/naming';
import { currentLink, show } from '../app/route';
import { set, settings } from '../app/settings';
import { clockText, left, parseClock } from '../model/clock';
import { count, result } from '../model/othello';
import { RULES, type Rule } from '../model/gomoku';
import { Button, Choose, Select, Switch } from '../ui/ui';
import { Moves } from './moves';
import { Table } from './table';
import { tab } from './analyze';

const chosen = signal('club');
const color = signal<'black' | 'white' | 'random'>('black');
const clock = signal('none');
const ownClock = signal('10:00+5');
const casual = signal(false);
const hints = signal(true);
const begins = signal<'standard' | 'random' | 'here'>('standard');
/** While a random start is looked for. */
const drawing = signal(false);

interface Level {
  level: number;
  seconds: number;
}
const levels = signal<readonly Level[]>([]);

/** The time of a move on this machine, as the engine estimates it from its speed. */
async function loadLevels(): Promise<void> {
  if (levels.value.length > 0) return;
  try {
    const rows = await askAll('levels', { positions: 300_000 });
    // A game that begins meanwhile ends the measuring.
    if (rows.length < 60) return;
    levels.value = rows.flatMap((row) => ('level' in row ? [{ level: row.level, seconds: Math.max(row.midgame_seconds, row.solve_seconds) }] : []));
  } catch {
    levels.value = [];
  }
}

function duration(seconds: number): string {
  if (seconds < 0.1) return t('time_instant');
  if (seconds < 10) return t('seconds_n', { n: number(seconds, 1) });
  if (seconds < 120) return t('seconds_n', { n: number(seconds) });
  if (seconds < 7200) return t('minutes_n', { n: number(seconds / 60) });
  if (seconds < 172_800) return t('hours_n', { n: number(seconds / 3600) });
  return t('time_too_long');
}

export function opponentName(id: string): string {
  const named = NAMED.find((each) => each.id === id);
  if (named) return t(`opponent_${id}` as Key);
  if (id === 'people') return t('opponent_people');
  const [kind, n = ''] = id.split('-');
  return kind === 'human' ? t('opponent_human', { n }) : t('opponent_level', { n });
}

const HUMAN_LOSS = [11, 6.5, 4.5, 3.3, 2.5, 1.9, 1.4, 0.9];

function describe(id: string): string {
  if (doc.game.value === 'gomoku') {
    const found = /^level-(\d+)$/.exec(id);
    return found ? t('opponent_level', { n: found[1]! }) : '';
  }
  if (id === 'close') return t('opponent_close_hint');
  const own = opponentOf(id)?.strength;
  if (!own) return t('opponent_people_hint');
  if ('human' in own) return t('loses_a_move', { n: number(HUMAN_LOSS[own.human - 1]!, 1) });
  if ('seconds' in own) return t('opponent_perfect_hint');
  const level = levels.value.find((each) => each.level === own.level);
  return level ? `${t('looks_ahead', { n: own.level })}, ${duration(level.seconds)}` : t('looks_ahead', { n: own.level });
}

function Sheet(): JSX.Element {
  const gomoku = doc.game.value === 'gomoku';
  useEffect(() => {
    if (!gomoku && engineState.value === 'ready') void loadLevels();
  }, [engineState.value, gomoku]);
  const numbered = chosen.value.includes('-') ? chosen.value : '';
  const canGoOn = doc.path.value.length > 0;
  const from = begins.value === 'here' && !canGoOn ? 'standard' : begins.value;
  const start = async (): Promise<void> => {
    const opponent = opponentOf(chosen.value);
    if (!opponent) return;
    const time = clock.value === 'none' ? null : parseClock(clock.value === 'own' ? ownClock.value : clock.value);
    if (clock.value !== 'none' && !time) {
      toast(t('clock_unreadable', { text: ownClock.value }));
      return;
    }
    const strength = gomoku && opponent.strength && 'human' in opponent.strength ? { level: opponent.strength.human } : opponent.strength;
    const request: Start = {
      game: doc.game.value,
      opponent: { ...opponent, strength },
      color: color.value,
      clock: time,
      casual: casual.value,
      hints: hints.value,
      from: from === 'here' ? cutHere() : null,
    };
    if (from === 'random' && !gomoku) {
      drawing.value = true;
      try {
        request.from = await matches.randomStart();
      } catch (error) {
        toast((error as Error).message);
        return;
      } finally {
        drawing.value = false;
      }
    }
    matches.begin(request);
    announce(t('game_begins'));
  };
  return (
    <form
      class="stack sheet-play"
      onSubmit={(event) => {
        event.preventDefault();
        if (!drawing.value) void start();
      }}
    >
      <Choose
        cards
        label={t('opponent')}
        value={chosen.value}
        choices={[...NAMED.filter(({ close }) => !close || !gomoku).map(({ id }) => ({ value: id, label: opponentName(id), hint: describe(id) })), { value: 'people', label: t('opponent_people'), hint: t('opponent_people_hint') }]}
        onChange={(value) => (chosen.value = value)}
      />
      <Select
        label={t('by_number')}
        value={numbered}
        choices={[
          { value: '', label: t('by_number_none') },
          ...(gomoku ? [] : HUMAN_LOSS.map((loss, i) => ({ value: `human-${i + 1}`, label: `${t('opponent_human', { n: i + 1 })} · ${t('loses_a_move', { n: number(loss, 1) })}` }))),
          ...Array.from({ length: 60 }, (_, i) => {
            const level = levels.value.find((each) => each.level === i + 1);
            return { value: `level-${i + 1}`, label: `${t('opponent_level', { n: i + 1 })}${level && !gomoku ? ` · ${duration(level.seconds)}` : ''}` };
          }),
        ]}
        onChange={(value) => (chosen.value = value || 'club')}
      />
      <Choose
        label={t('your_color')}
        value={color.value}
        choices={[
          { value: 'black', label: t('black') },
          { value: 'white', label: t('white') },
          { value: 'random', label: t('random') },
        ]}
        onChange={(value) => (color.value = value)}
      />
      <div class="line-of-fields">
        <Select
          label={t('clock')}
          value={clock.value}
          choices={[
            { value: 'none', label: t('clock_none') },
            { value: '1:00', label: '1 + 0' },
            { value: '3:00+2', label: '3 + 2' },
            { value: '5:00', label: '5 + 0' },
            { value: '20:00', label: '20 + 0' },
            { value: 'own', label: t('clock_own') },
          ]}
          onChange={(value) => (clock.value = value)}
        />
        {clock.value === 'own' && (
          <label class="field">
            <span class="words">{t('clock_own_label')}</span>
            <input type="text" value={ownClock.value} onInput={(event) => (ownClock.value = event.currentTarget.value)} />
          </label>
        )}
        <Select
          label={t('begins')}
          value={from}
          choices={[
            { value: 'standard', label: t('begins_standard') },
            ...(gomoku ? [] : [{ value: 'random' as const, label: t('begins_random') }]),
            ...(canGoOn ? [{ value: 'here' as const, label: t('begins_here') }] : []),
          ]}
          onChange={(value) => (begins.value = value)}
        />
        {gomoku && (
          <>
            <Select label={t('rule')} value={settings.value.rule} choices={RULES.map((rule) => ({ value: rule, label: t(`rule_${rule}` as Key) }))} onChange={(value: Rule) => set('rule', value)} />
            <Select label={t('board_size')} value={String(settings.value.size)} choices={Array.from({ length: 16 }, (_, i) => ({ value: String(i + 5), label: `${i + 5} × ${i + 5}` }))} onChange={(value) => set('size', Number(value))} />
          </>
        )}
      </div>
      {clock.value !== 'none' && <Switch label={t('casual_clock')} hint={t('casual_clock_hint')} checked={casual.value} onChange={(on) => (casual.value = on)} />}
      <Switch label={t('allow_hints')} checked={hints.value} onChange={(on) => (hints.value = on)} />
      <button type="submit" class="button main large" aria-busy={drawing.value}>
        {drawing.value && <span class="spinner" />}
        {t('start_game')}
      </button>
    </form>
  );
}

/** The game up to here, without what comes after it and beside it. */
function cutHere(): typeof doc.tree.value {
  const copy = (node: typeof doc.node.value, rest: readonly number[]): typeof doc.node.value => {
    const [step, ...more] = rest;
    return { ...node, children: step === undefined ? [] : [copy(node.children[step]!, more)] };
  };
  return { ...doc.tree.value, root: copy(doc.tree.value.root, doc.path.value) };
}

function Clocks(): JSX.Element | null {
  const { value } = match;
  if (!value?.clock) return null;
  const time = Math.max(matches.now.value, value.clock.running?.since ?? 0);
  return (
    <div class="clocks" role="timer" aria-label={t('clock')}>
      {(['X', 'O'] as const).map((side) => {
        const seconds = left(value.clock!, side, time);
        return (
          <span key={side} class={`clock ${value.clock!.running?.side === side ? 'runs' : ''} ${seconds < 15 ? 'short' : ''}`}>
            <span class={side === 'X' ? 'chip black' : 'chip white'} aria-hidden="true" />
            <span class="hidden">{t(side === 'X' ? 'black' : 'white')}</span>
            {clockText(seconds)}
          </span>
        );
      })}
    </div>
  );
}

function endText(): string {
  const { value } = match;
  if (!value?.ended) return '';
  const { by, winner } = value.ended;
  const mine = value.people.length === 1 ? value.people[0] : null;
  const who = winner === null ? t('draw') : mine === null ? t(winner === 'X' ? 'black_wins' : 'white_wins') : winner === mine ? t('you_win') : t('you_lose');
  if (by === 'time') return `${who} ${t('by_time')}`;
  if (by === 'resigned') return `${who} ${t('by_resigning')}`;
  const at = doc.position.value;
  if (at.game === 'gomoku') return who;
  const { black, white } = count(at.cells);
  return `${who} ${black}–${white} (${signed(result(at) * (mine === 'O' ? -1 : 1))})`;
}

function Running(): JSX.Element {
  const value = match.value!;
  const name = openingText(opening.value);
  const hint = (): void => {
    analysis.on.value = !analysis.on.value;
  };
  return (
    <div class="stack">
      <header class="match-head">
        <div>
          <h2>{opponentName(value.opponent.id)}</h2>
          <p class="note">{describe(value.opponent.id)}</p>
        </div>
        <Clocks />
      </header>
      {name && (
        <p class="opening" lang={openingLanguage(opening.value)}>
          {name}
        </p>
      )}
      {value.ended ? (
        <div class="end-card" role="status">
          <p class="verdict">{endText()}</p>
          <div class="line-of-buttons">
            <Button
              kind="main"
              icon="graph"
              label={t('review')}
              onClick={() => {
                tab.value = 'graph';
                show('analyze');
              }}
            />
            <Button
              icon="play"
              label={t('rematch')}
              onClick={() =>
                matches.begin({
                  game: doc.game.value,
                  opponent: value.opponent,
                  color: value.people.length === 2 ? 'black' : value.people[0] === 'X' ? 'white' : 'black',
                  clock: value.clock ? parseClock(clock.value === 'own' ? ownClock.value : clock.value) : null,
                  casual: value.casual,
                  hints: value.hints,
                  from: null,
                })
              }
            />
            <Button icon="save" label={t('save_library')} onClick={() => void save(doc.tree.value, doc.record.value, '', [], name).then(() => toast(t('saved')))} />
            <Button icon="share" label={t('copy_link')} onClick={() => void copyLink()} />
          </div>
        </div>
      ) : (
        <p class="thinking" role="status">
          {matches.thinking.value ? (
            <>
              <span class="spinner" />
              {t('engine_thinks')}
            </>
          ) : matches.trouble.value ? (
            <span class="warning">{matches.trouble.value}</span>
          ) : (
            t(matches.personToMove.value ? 'your_move' : 'waiting')
          )}
        </p>
      )}
      <div class="line-of-buttons">
        {matches.trouble.value && <Button kind="main" label={t('try_again')} onClick={matches.retry} />}
        {matches.thinking.value && <Button label={t('move_now')} onClick={matches.moveNow} />}
        {!value.ended && (
          <>
            <Button icon="undo" label={t('take_back')} disabled={doc.path.value.length === 0} onClick={matches.takeBack} />
            {value.hints && <Button icon="hint" label={t('hint')} pressed={analysis.on.value} disabled={matches.thinking.value} onClick={hint} />}
            {value.clock && <Button icon={matches.paused.value ? 'play' : 'pause'} label={matches.paused.value ? t('go_on') : t('pause')} onClick={matches.togglePause} />}
            {value.people.length === 1 && <Button icon="flip" label={t('swap_colors')} onClick={matches.swapColors} />}
            <Button icon="flag" kind="danger" label={t('resign')} onClick={matches.resign} />
          </>
        )}
        <Button label={t('new_opponent')} onClick={matches.leave} />
      </div>
      <Moves />
    </div>
  );
}

export async function copyLink(): Promise<void> {
  const link = new URL(await currentLink('analyze'), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    toast(t('link_copied'));
  } catch {
    toast(t('copy_failed'));
  }
}

export function Play(): JSX.Element {
  return (
    <div class="two">
      <Table showValues={analysis.on.value} />
      <section class="panel" aria-label={t('screen_play')}>
        {match.value ? <Running /> : <Sheet />}
      </section>
    </div>
  );
}
