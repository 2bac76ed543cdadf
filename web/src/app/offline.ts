// The offline worker. A new version waits until the user says so; the page never reloads itself.
import { t } from '../i18n';
import { trusted } from '../engine/wasm';
import { toast } from './announce';

export async function register(): Promise<void> {
  try {
    const found = await navigator.serviceWorker.register(trusted('./sw.js'));
    found.addEventListener('updatefound', () => {
      const fresh = found.installing;
      fresh?.addEventListener('statechange', () => {
        if (fresh.state === 'installed' && navigator.serviceWorker.controller) {
          toast(t('new_version'), {
            label: t('reload'),
            run: () => {
              navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
              fresh.postMessage('take over');
            },
          });
        }
      });
    });
  } catch {
    // Plain http from another machine has no offline worker.
  }
}
