// Which sheet is open over the page.
import { signal } from '@preact/signals';

export type Editing = 'paste' | 'export' | 'board' | 'sheet' | 'save' | 'keys' | 'menu' | null;
export const editing = signal<Editing>(null);
/** What was pasted or dropped, for the sheet to begin with. */
export const pasted = signal<{ text: string; name: string } | null>(null);
