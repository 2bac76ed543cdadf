// What a person chose; kept in this browser.
import { effect, signal } from '@preact/signals';
import { setLanguage, type Language } from '../i18n';

export interface Settings {
  language: Language;
  theme: 'system' | 'light' | 'dark';
  coordinates: boolean;
  legal: boolean;
  numbers: boolean;
  flipped: boolean;
  bars: boolean;
  black: boolean;
  confirm: boolean;
  animation: boolean;
  sound: boolean;
  autopass: boolean;
  letters: boolean;
  announce: boolean;
  backend: 'auto' | 'server' | 'wasm';
  seconds: number;
  lines: number;
  tableMegabytes: number;
  size: number;
  rule: 'freestyle' | 'standard' | 'renju' | 'caro';
}

export const DEFAULTS: Settings = {
  language: navigator.language?.startsWith('ja') ? 'ja' : 'en',
  theme: 'system',
  coordinates: true,
  legal: true,
  numbers: false,
  flipped: false,
  bars: false,
  black: false,
  confirm: false,
  animation: true,
  sound: false,
  autopass: false,
  letters: true,
  announce: false,
  backend: 'auto',
  seconds: 10,
  lines: 64,
  tableMegabytes: 64,
  size: 15,
  rule: 'freestyle',
};

const KEY = 'outflank.settings';

function load(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
    const all: Record<string, unknown> = { ...DEFAULTS };
    for (const [name, value] of Object.entries(kept)) {
      if (name in DEFAULTS && typeof value === typeof DEFAULTS[name as keyof Settings]) all[name] = value;
    }
    return all as unknown as Settings;
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = signal<Settings>(load());

export function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings.value = { ...settings.value, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.value));
  } catch {
    // Private windows may refuse; then it holds until the page is closed.
  }
}

export function applySettings(): void {
  effect(() => {
    const { theme } = settings.value;
    const root = document.documentElement;
    if (theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = theme;
    root.dataset.still = String(!settings.value.animation);
  });
  effect(() => {
    void setLanguage(settings.value.language);
  });
}
