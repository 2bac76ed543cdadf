// What the top bar says of the engine.
import { plural, t } from '../i18n';
import { about, backend, engineState } from './engine';

export function engineLine(): string {
  const kind = backend.value?.kind;
  const told = about.value;
  switch (engineState.value) {
    case 'ready': {
      const where = t(kind === 'wasm' ? 'engine_browser' : 'engine_server');
      return told?.threads ? t('engine_ready', { where, threads: plural('threads', told.threads) }) : where;
    }
    case 'reconnecting':
      return t('engine_reconnecting');
    case 'failed':
      return `${t('engine_failed')} ${backend.value?.trouble.value ?? ''}`.trim();
    default:
      return t('engine_starting');
  }
}
