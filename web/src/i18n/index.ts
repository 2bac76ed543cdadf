// The words of the page. English is part of the program and names the keys; other languages are fetched when chosen.
import { signal } from '@preact/signals';
import { en } from './en';

export type Key = keyof typeof en;
export type Language = 'en' | 'ja' | 'pseudo';
export const LANGUAGES: readonly { code: Language; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'ja', name: '日本語' },
];

const words = signal<Readonly<Record<string, string>>>(en);
export const language = signal<Language>('en');

/** Longer by 40 percent, to see whether the layout bears it. */
const stretch = (text: string): string => `[${text}${'~'.repeat(Math.ceil(text.length * 0.4))}]`;

export async function setLanguage(code: Language): Promise<void> {
  if (code === 'ja') words.value = { ...en, ...(await import('./ja.json')).default };
  else if (code === 'pseudo') words.value = Object.fromEntries(Object.entries(en).map(([key, text]) => [key, stretch(text)]));
  else words.value = en;
  language.value = code;
  document.documentElement.lang = code === 'pseudo' ? 'en' : code;
}

export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  const text = words.value[key] ?? en[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** One or many: the keys end in `_one` and `_other`. */
export function plural(key: string, n: number): string {
  const form = new Intl.PluralRules(language.value === 'ja' ? 'ja' : 'en').select(n);
  const whole = `${key}_${form}`;
  return t((whole in en ? whole : `${key}_other`) as Key, { n: number(n) });
}

export const number = (n: number, digits = 0): string =>
  new Intl.NumberFormat(language.value === 'ja' ? 'ja' : 'en', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(n);

/** With the sign of mathematics, and no sign on nothing. */
export function signed(n: number, digits = 0): string {
  const factor = 10 ** digits;
  const rounded = Math.round(n * factor) / factor;
  if (rounded === 0) return digits ? number(0, digits) : '0';
  return `${rounded > 0 ? '+' : '−'}${number(Math.abs(rounded), digits)}`;
}
