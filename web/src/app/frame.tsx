// The frame around every screen: top bar, screens, bottom bar on narrow windows, keys, what is read aloud.
import { computed, useSignal } from '@preact/signals';
import { Component, type ComponentType, type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n';
import { SCREENS, type Screen } from '../model/link';
import type { Game } from '../model/rules';
import { Button, Icon, Select, Toasts } from '../ui/ui';
import { Dialogs } from '../screens/dialogs';
import { Analyze } from '../screens/analyze';
import { Play } from '../screens/play';
import { spoken } from './announce';
import { editing } from './dialogs';
import * as doc from './document';
import { engineState, running, stopAll } from './engine';
import { entry, runCommand, useKeys } from './keys';
import { problems, screen, show } from './route';
import { engineLine } from './status';
import { storeMissing } from './keep';

/** Screens beyond the first two are fetched when they are opened. */
const LATER: Partial<Record<Screen, () => Promise<ComponentType>>> = {
  explore: () => import('../screens/explore').then((m) => m.Explore),
  solve: () => import('../screens/solve').then((m) => m.Solve),
  puzzles: () => import('../screens/puzzles').then((m) => m.Puzzles),
  library: () => import('../screens/library').then((m) => m.Library),
  settings: () => import('../screens/settings').then((m) => m.SettingsScreen),
};
const loaded = new Map<Screen, ComponentType>([
  ['play', Play],
  ['analyze', Analyze],
]);

function Current(): JSX.Element {
  const again = useSignal(0);
  const wanted = screen.value;
  void again.value;
  const Found = loaded.get(wanted);
  useEffect(() => {
    if (Found) return;
    void LATER[wanted]?.().then((found) => {
      loaded.set(wanted, found);
      again.value += 1;
    });
  }, [wanted]);
  return Found ? <Found /> : <p class="page note">{t('loading')}</p>;
}

/** One faulty screen leaves the others. */
class Guard extends Component<{ children: JSX.Element; of: string }, { trouble: string }> {
  override state = { trouble: '' };
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ trouble: String(error) });
  }
  override componentDidUpdate(before: { of: string }): void {
    if (before.of !== this.props.of && this.state.trouble) this.setState({ trouble: '' });
  }
  render(): JSX.Element {
    if (!this.state.trouble) return this.props.children;
    return (
      <div class="page stack">
        <p class="warning">{t('screen_failed')}</p>
        <pre class="mono">{this.state.trouble}</pre>
        <Button label={t('try_again')} onClick={() => this.setState({ trouble: '' })} />
      </div>
    );
  }
}

function GameSwitch(): JSX.Element {
  return (
    <Select<Game>
      hidden
      label={t('which_game')}
      value={doc.game.value}
      choices={[
        { value: 'othello', label: t('othello') },
        { value: 'gomoku', label: t('gomoku') },
      ]}
      onChange={(value) => (doc.game.value = value)}
    />
  );
}

function Links({ onDone }: { onDone?: () => void }): JSX.Element {
  return (
    <ul class="links">
      {SCREENS.map((each) => (
        <li key={each}>
          <button
            type="button"
            aria-current={screen.value === each ? 'page' : undefined}
            onClick={() => {
              onDone?.();
              show(each);
            }}
          >
            {t(`screen_${each}`)}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Menu(): JSX.Element {
  const then = (what: 'paste' | 'export' | 'board' | 'save' | 'keys') => (): void => {
    editing.value = what;
  };
  return (
    <nav class="menu" aria-label={t('menu')}>
      <Links onDone={() => (editing.value = null)} />
      <div class="line-of-buttons">
        <Button icon="paste" label={t('paste')} onClick={then('paste')} />
        <Button icon="share" label={t('export')} onClick={then('export')} />
        <Button icon="save" label={t('save_library')} onClick={then('save')} />
        {doc.game.value === 'othello' && <Button icon="edit" label={t('position_editor')} onClick={then('board')} />}
        <Button label={t('all_keys')} onClick={then('keys')} />
      </div>
      <p class="note">{engineLine()}</p>
    </nav>
  );
}

function Entry(): JSX.Element {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (entry.value) ref.current?.focus();
  }, [entry.value]);
  return (
    <form
      class={entry.value ? 'entry open' : 'entry'}
      onSubmit={(event) => {
        event.preventDefault();
        const text = ref.current!.value.trim();
        ref.current!.value = '';
        if (text) runCommand(text);
      }}
    >
      <label>
        <span class="hidden">{t('entry_label')}</span>
        <input
          ref={ref}
          id="entry"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={t('entry_hint')}
          onFocus={() => (entry.value = true)}
          onBlur={() => (entry.value = false)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
      </label>
    </form>
  );
}

const isRunning = computed(() => running.value > 0);

/** By itself, since short questions begin and end at every step through a game. */
function Stop(): JSX.Element | null {
  return isRunning.value ? <Button icon="stop" label={t('stop')} text={false} kind="quiet" onClick={stopAll} /> : null;
}

export function Frame(): JSX.Element {
  useKeys();
  const now = screen.value;
  const state = engineState.value;
  const boardScreen = now === 'play' || now === 'analyze' || now === 'explore';
  useEffect(() => {
    document.title = `${t(`screen_${now}`)} – Outflank`;
  });
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById('main')?.focus())}>
        {t('skip')}
      </a>
      <header class="top">
        <button type="button" class="brand" onClick={() => show('play')} aria-label={`Outflank, ${t('screen_play')}`}>
          <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect width="32" height="32" rx="8" class="tile" />
            <circle cx="12" cy="16" r="7.5" class="b" />
            <circle cx="20" cy="16" r="7.5" class="w" />
          </svg>
          <span>Outflank</span>
        </button>
        <nav class="wide-only" aria-label={t('screens')}>
          <Links />
        </nav>
        <span class="grow" />
        <Entry />
        <GameSwitch />
        <button type="button" class={`engine-state ${state}`} title={engineLine()} onClick={() => show('settings')}>
          <span class="lamp" aria-hidden="true" />
          <span class="state-words">{engineLine()}</span>
        </button>
        <Stop />
        <span class="narrow-only">
          <Button icon="menu" label={t('menu')} text={false} kind="quiet" onClick={() => (editing.value = 'menu')} />
        </span>
      </header>
      {problems.value.length > 0 && (
        <p class="banner" role="alert">
          {t('link_problem', { text: problems.value.join(', ') })}
          <Button icon="close" label={t('close')} text={false} kind="quiet" onClick={() => (problems.value = [])} />
        </p>
      )}
      {state === 'failed' || state === 'reconnecting' ? (
        <p class="banner" role="status">
          {engineLine()} {t('board_goes_on')}
        </p>
      ) : null}
      {storeMissing.value && now === 'play' && <p class="banner">{t('no_storage')}</p>}
      <main id="main" tabIndex={-1} class={boardScreen ? 'with-board' : 'with-page'}>
        {boardScreen && <h1 class="hidden">{t(`screen_${now}`)}</h1>}
        <Guard of={now}>
          <Current key={now} />
        </Guard>
      </main>
      <nav class="bottom narrow-only" aria-label={t('screens')}>
        {(['play', 'analyze', 'puzzles', 'library'] as const).map((each) => (
          <button key={each} type="button" aria-current={now === each ? 'page' : undefined} onClick={() => show(each)}>
            <Icon name={({ play: 'play', analyze: 'graph', puzzles: 'hint', library: 'save' } as const)[each]} />
            <span>{t(`screen_${each}`)}</span>
          </button>
        ))}
        <button type="button" onClick={() => (editing.value = 'menu')}>
          <Icon name="menu" />
          <span>{t('menu')}</span>
        </button>
      </nav>
      <Dialogs menu={Menu} />
      <Toasts />
      <div class="hidden" role="status" aria-live="polite" id="spoken">
        {spoken}
      </div>
    </>
  );
}
