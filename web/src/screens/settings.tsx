// Settings act at once; there is nothing to apply.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { LANGUAGES, number, t, type Language } from '../i18n';
import { cache } from '../app/analysis';
import { toast } from '../app/announce';
import { about, backend, engineState, startEngine } from '../app/engine';
import { refresh, store } from '../app/keep';
import { DEFAULTS, set, settings, type Settings } from '../app/settings';
import { editing } from '../app/dialogs';
import { Button, Choose, Select, Switch } from '../ui/ui';
import { engineLine } from '../app/status';

type Flag = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

function Toggle({ name, hint }: { name: Flag; hint?: string }): JSX.Element {
  return <Switch label={t(`setting_${name}`)} {...(hint && { hint })} checked={settings.value[name]} onChange={(on) => set(name, on)} />;
}

export function SettingsScreen(): JSX.Element {
  const sure = useSignal(false);
  const told = about.value;
  return (
    <div class="page">
      <h1>{t('screen_settings')}</h1>
      <section class="card stack">
        <h2>{t('appearance')}</h2>
        <Select label={t('language')} value={settings.value.language} choices={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))} onChange={(value: Language) => set('language', value)} />
        {settings.value.language === 'ja' && <p class="note">{t('not_reviewed')}</p>}
        <Choose
          label={t('theme')}
          value={settings.value.theme}
          choices={[
            { value: 'system', label: t('theme_system') },
            { value: 'light', label: t('theme_light') },
            { value: 'dark', label: t('theme_dark') },
          ]}
          onChange={(value) => set('theme', value)}
        />
        <Toggle name="coordinates" />
        <Toggle name="legal" />
        <Toggle name="numbers" />
        <Toggle name="flipped" />
        <Toggle name="bars" hint={t('setting_bars_hint')} />
        <Toggle name="animation" />
      </section>
      <section class="card stack">
        <h2>{t('playing')}</h2>
        <Toggle name="confirm" hint={t('setting_confirm_hint')} />
        <Toggle name="autopass" />
        <Toggle name="sound" />
        <Toggle name="letters" hint={t('setting_letters_hint')} />
        <Toggle name="announce" hint={t('setting_announce_hint')} />
        <div class="line-of-buttons">
          <Button label={t('all_keys')} onClick={() => (editing.value = 'keys')} />
        </div>
      </section>
      <section class="card stack">
        <h2>{t('tab_engine')}</h2>
        <p class="note">{engineLine()}</p>
        <Choose
          label={t('which_engine')}
          value={settings.value.backend}
          choices={[
            { value: 'auto', label: t('engine_auto') },
            { value: 'server', label: t('engine_server') },
            { value: 'wasm', label: t('engine_browser') },
          ]}
          onChange={(value) => {
            set('backend', value);
            void startEngine();
          }}
        />
        <Select
          label={t('table_memory')}
          value={String(settings.value.tableMegabytes)}
          choices={[4, 8, 16, 32, 64, 128, 256].map((n) => ({ value: String(n), label: `${n} MB` }))}
          onChange={(value) => set('tableMegabytes', Number(value))}
        />
        <Toggle name="black" />
        {told && (
          <dl class="facts">
            <dt>{t('version')}</dt>
            <dd>
              {told.engine} {told.version}
            </dd>
            {told.threads !== undefined && (
              <>
                <dt>{t('threads')}</dt>
                <dd>{told.threads}</dd>
              </>
            )}
            {told.weights && (
              <>
                <dt>{t('weights')}</dt>
                <dd class="mono">{told.weights}</dd>
              </>
            )}
            {told.table_bytes !== undefined && (
              <>
                <dt>{t('table_memory')}</dt>
                <dd>{number(told.table_bytes / (1 << 20))} MB</dd>
              </>
            )}
          </dl>
        )}
        <div class="line-of-buttons">
          {engineState.value === 'failed' && (
            <Button
              label={t('copy_report')}
              onClick={() => void navigator.clipboard.writeText(`${navigator.userAgent}\n${backend.value?.trouble.value ?? ''}`).then(() => toast(t('copied')))}
            />
          )}
          <Button label={t('forget_values')} onClick={() => (cache.clear(), toast(t('forgotten')))} />
        </div>
      </section>
      <section class="card stack">
        <h2>{t('data')}</h2>
        <p class="note">{t('data_hint')}</p>
        <div class="line-of-buttons">
          {sure.value ? (
            <>
              <Button
                kind="danger"
                icon="trash"
                label={t('delete_all_sure')}
                onClick={() => {
                  sure.value = false;
                  void store.value?.clear().then(refresh);
                  for (const [name, value] of Object.entries(DEFAULTS)) set(name as 'language', value as Language);
                  toast(t('deleted'));
                }}
              />
              <Button label={t('cancel')} onClick={() => (sure.value = false)} />
            </>
          ) : (
            <Button icon="trash" kind="danger" label={t('delete_all')} onClick={() => (sure.value = true)} />
          )}
        </div>
      </section>
      <section class="card stack">
        <h2>{t('about')}</h2>
        <p class="note">{t('about_text')}</p>
        <p class="note">{t('about_licenses')}</p>
        <p class="note">{t('trademark')}</p>
      </section>
    </div>
  );
}
