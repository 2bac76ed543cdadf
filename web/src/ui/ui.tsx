// Small parts that every screen uses.
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n';
import { dismiss, toasts } from '../app/announce';

const ICONS = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  back: 'M15 5l-8 7 8 7',
  forward: 'M9 5l8 7-8 7',
  last: 'M18 5v14M5 5l9 7-9 7z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.7 1-2.5A6 6 0 0 0 12 3z',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  flip: 'M7 4v16M7 4L3 8M7 4l4 4M17 20V4M17 20l4-4M17 20l-4-4',
  close: 'M6 6l12 12M18 6L6 18',
  stop: 'M6 6h12v12H6z',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  paste: 'M8 5H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1h-2M9 3h6v4H9z',
  share: 'M12 15V3M8 7l4-4 4 4M5 12v8h14v-8',
  plus: 'M12 5v14M5 12h14',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  edit: 'M4 20l1-5L16 4l4 4L9 19z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  up: 'M12 19V5M6 11l6-6 6 6',
  check: 'M5 13l4 4L19 7',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  graph: 'M4 4v16h16M7 15l4-5 3 3 5-7',
} as const;
export type Icon = keyof typeof ICONS;

export const Icon = ({ name }: { name: Icon }): JSX.Element => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={ICONS[name]} />
  </svg>
);

interface ButtonProps {
  icon?: Icon;
  label: string;
  /** Shown beside the icon; without it the label is only read. */
  text?: boolean;
  kind?: 'main' | 'plain' | 'quiet' | 'danger';
  disabled?: boolean;
  pressed?: boolean;
  title?: string;
  onClick: () => void;
}

export function Button({ icon, label, text = true, kind = 'plain', disabled, pressed, title, onClick }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`button ${kind} ${text ? '' : 'only-icon'}`}
      disabled={disabled}
      aria-pressed={pressed}
      aria-label={text ? undefined : label}
      title={title ?? (text ? undefined : label)}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {text && <span>{label}</span>}
    </button>
  );
}

export function Switch({ label, hint, checked, onChange }: { label: string; hint?: string; checked: boolean; onChange: (on: boolean) => void }): JSX.Element {
  return (
    <label class="switch">
      <span class="words">
        {label}
        {hint && <small>{hint}</small>}
      </span>
      <input type="checkbox" role="switch" aria-checked={checked} checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span class="track" aria-hidden="true" />
    </label>
  );
}

export interface Choice<T extends string> {
  value: T;
  label: string;
  hint?: string;
}

export function Select<T extends string>({ label, value, choices, onChange, hidden }: { label: string; value: T; choices: readonly Choice<T>[]; onChange: (value: T) => void; hidden?: boolean }): JSX.Element {
  return (
    <label class={hidden ? 'field bare' : 'field'}>
      <span class={hidden ? 'hidden' : 'words'}>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A row of radio buttons that look like cards or pills. */
export function Choose<T extends string>({ label, value, choices, onChange, cards }: { label: string; value: T; choices: readonly Choice<T>[]; onChange: (value: T) => void; cards?: boolean }): JSX.Element {
  const name = useId();
  return (
    <fieldset class={cards ? 'choose cards' : 'choose'}>
      <legend>{label}</legend>
      <div class="options">
        {choices.map((choice) => (
          <label key={choice.value} class={choice.value === value ? 'option chosen' : 'option'}>
            <input type="radio" name={name} value={choice.value} checked={choice.value === value} onChange={() => onChange(choice.value)} />
            <span class="name">{choice.label}</span>
            {choice.hint && <small>{choice.hint}</small>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Dialog({ title, onClose, children, wide }: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  // In the step that draws it: a closed dialog would stand in the page for a frame, and a key pressed then is lost.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'wide' : ''}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div class="sheet">
        <header>
          <h2>{title}</h2>
          <Button icon="close" label={t('close')} text={false} kind="quiet" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

export interface Tab {
  id: string;
  label: string;
  content: () => ComponentChildren;
}

export function Tabs({ tabs, active, onChange, label }: { tabs: readonly Tab[]; active: string; onChange: (id: string) => void; label: string }): JSX.Element {
  const id = useId();
  const chosen = tabs.find((tab) => tab.id === active) ?? tabs[0]!;
  const key = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(tabs.indexOf(chosen) + by + tabs.length) % tabs.length]!;
    onChange(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tablist" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={key}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="tabpanel" role="tabpanel" id={`${id}-panel`} aria-label={chosen.label} tabIndex={0}>
        {chosen.content()}
      </div>
    </div>
  );
}

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element => (
  <div class="nothing">
    <svg viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <circle cx="17" cy="24" r="13" class="one" />
      <circle cx="31" cy="24" r="13" class="two" />
    </svg>
    <p class="title">{title}</p>
    {children}
  </div>
);

export const Toasts = (): JSX.Element => (
  <div class="toasts">
    {toasts.value.map((each) => (
      <div key={each.id} class="toast">
        <span>{each.text}</span>
        {each.action && (
          <button
            type="button"
            class="button quiet"
            onClick={() => {
              each.action!.run();
              dismiss(each.id);
            }}
          >
            {each.action.label}
          </button>
        )}
        <button type="button" class="button quiet only-icon" aria-label={t('close')} onClick={() => dismiss(each.id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
);
