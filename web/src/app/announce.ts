// The one place that is read aloud, and the short messages that are seen.
import { signal } from '@preact/signals';

export const spoken = signal('');
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}
export const toasts = signal<readonly Toast[]>([]);

let next = 1;

export function announce(text: string): void {
  // The same words twice are only read when something has changed in between.
  spoken.value = spoken.value === text ? `${text}\u00a0` : text;
}

export function toast(text: string, action?: Toast['action']): void {
  const id = next++;
  toasts.value = [...toasts.value.slice(-2), { id, text, ...(action && { action }) }];
  announce(text);
  setTimeout(() => dismiss(id), action ? 9000 : 5000);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}
