// A score sheet typed in as it stands on paper: a number on each square. Says where it stops being a game, and what would mend it.
import { signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { t } from '../i18n';
import { editing } from '../app/dialogs';
import * as doc from '../app/document';
import { keepCurrent } from '../app/keep';
import { match } from '../app/match';
import { show } from '../app/route';
import { squareName } from '../model/othello';
import { OTHELLO_START } from '../model/rules';
import { CENTER, EMPTY_SHEET, mends, replay, withMend, type Mend, type Sheet, type Stop } from '../model/sheet';
import { insertLine, newTree } from '../model/tree';
import { Button, Dialog } from '../ui/ui';

/** What was typed stays when the sheet is closed. */
const sheet = signal<Sheet>(EMPTY_SHEET);

function stopText({ number, why, squares }: Stop): string {
  if (why === 'missing') return t('sheet_missing', { n: number });
  const where = squares.map(squareName).join(', ');
  return t(why === 'twice' ? 'sheet_twice' : 'sheet_illegal', { n: number, where });
}

function mendText(mend: Mend, now: Sheet): string {
  const [one, other] = mend;
  if (!one) return '';
  if (other) return t('sheet_swap', { a: now[one.at]!, from: squareName(one.at), b: now[other.at]!, to: squareName(other.at) });
  return t('sheet_put', { n: one.to, where: squareName(one.at) });
}

export function ScoreSheet(): JSX.Element {
  const grid = useRef<HTMLDivElement>(null);
  const now = sheet.value;
  const { moves, stop } = useMemo(() => replay(now), [now]);
  const proposals = useMemo(() => mends(now), [now]);
  const played = stop ? stop.number - 1 : now.filter((number) => number !== null).length;
  const close = (): void => {
    editing.value = null;
  };
  const write = (square: number, text: string): void => {
    const number = Number(text.replaceAll(/\D/g, '').slice(0, 2));
    sheet.value = now.with(square, number >= 1 && number <= 60 ? number : null);
  };
  const walk = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };
    const step = steps[event.key];
    const at = Number((event.target as HTMLElement).dataset.at);
    if (step === undefined || Number.isNaN(at)) return;
    event.preventDefault();
    event.stopPropagation();
    let to = at + step;
    // Over the discs in the middle.
    while (CENTER.has(to)) to += step;
    if (to < 0 || to > 63 || (step % 8 !== 0 && Math.floor(to / 8) !== Math.floor(at / 8))) return;
    const field = grid.current?.querySelector<HTMLInputElement>(`[data-at="${to}"]`);
    field?.focus();
    field?.select();
  };
  const open = async (): Promise<void> => {
    await keepCurrent();
    match.value = null;
    doc.replace(insertLine(newTree(OTHELLO_START), [], moves).tree);
    close();
    show('analyze');
  };
  return (
    <Dialog title={t('sheet_title')} onClose={close}>
      <div class="stack">
        <p class="note">{t('sheet_lead')}</p>
        <div ref={grid} class="score-sheet" role="group" aria-label={t('sheet_title')} onKeyDown={walk}>
          {now.map((number, square) =>
            CENTER.has(square) ? (
              <span key={square} class={square === 27 || square === 36 ? 'chip white' : 'chip black'} />
            ) : (
              <input
                key={square}
                type="text"
                inputMode="numeric"
                maxLength={2}
                autocomplete="off"
                data-at={square}
                aria-label={squareName(square)}
                aria-invalid={stop?.squares.includes(square) || undefined}
                placeholder={squareName(square)}
                value={number ?? ''}
                onChange={(event) => {
                  write(square, event.currentTarget.value);
                  event.currentTarget.value = String(sheet.value[square] ?? '');
                }}
              />
            ),
          )}
        </div>
        <p role="status" class={stop && stop.why !== 'missing' ? 'warning' : 'note'}>
          {played > 0 && t('sheet_good', { n: played })} {stop && stopText(stop)}
        </p>
        {proposals.length > 0 && (
          <div class="stack">
            <p class="note">{t('sheet_mends')}</p>
            <div class="line-of-buttons">
              {proposals.map((mend) => (
                <Button key={mendText(mend, now)} label={mendText(mend, now)} onClick={() => (sheet.value = withMend(now, mend))} />
              ))}
            </div>
          </div>
        )}
        <div class="line-of-buttons end">
          <Button label={t('sheet_clear')} disabled={now === EMPTY_SHEET} onClick={() => (sheet.value = EMPTY_SHEET)} />
          <Button kind="main" label={t('sheet_open', { n: played })} disabled={moves.length === 0} onClick={() => void open()} />
        </div>
      </div>
    </Dialog>
  );
}
