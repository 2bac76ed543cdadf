// How the game went: Black's value after each move. Exact points are filled, estimates hollow; a table says the same.
import { computed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { number, signed, t } from '../i18n';
import { knownOf } from '../app/analysis';
import * as doc from '../app/document';
import { DEPTHS, drillsOf, keepDrills, review, startReview, stopReview, withMarks, type Depth } from '../app/review';
import { toast } from '../app/announce';
import { keyOf } from '../app/wire';
import { moveName, PASS } from '../model/rules';
import { mainFrom, movesTo, positionAt } from '../model/tree';
import { isProven } from '../model/worth';
import { Button, Choose, Empty } from '../ui/ui';

interface Point {
  ply: number;
  value: number;
  exact: boolean;
  mark: string;
}

/** Black's values along the main line, from the review where there is one, else from what was searched. */
function findPoints(): Point[] {
  const tree = doc.tree.value;
  const full = mainFrom(tree, []);
  const judged = review.value;
  const found: Point[] = [];
  for (let ply = 0; ply <= full.length; ply += 1) {
    const position = positionAt(tree, full.slice(0, ply));
    const after = judged?.moves.get(ply);
    if (after) {
      found.push({ ply, value: after.side === 'X' ? after.value : -after.value, exact: after.exact, mark: after.mark });
      continue;
    }
    const best = knownOf(keyOf(position))?.lines[0];
    if (!best) continue;
    const value = position.game === 'gomoku' ? best.value - 50 : best.value;
    found.push({ ply, value: position.side === 'X' ? value : -value, exact: isProven(best.kind), mark: '' });
  }
  return found;
}

const WIDTH = 320;
const HEIGHT = 150;

function Picture({ all, most, length }: { all: Point[]; most: number; length: number }): JSX.Element {
  const x = (ply: number): number => 26 + (ply / Math.max(1, length)) * (WIDTH - 34);
  const y = (value: number): number => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 10);
  const at = doc.path.value.length;
  const steps = [-most, -most / 2, 0, most / 2, most];
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      focusable="false"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const inside = ((event.clientX - box.left) / box.width) * WIDTH;
        const ply = Math.round(((inside - 26) / (WIDTH - 34)) * length);
        doc.go(mainFrom(doc.tree.value, []).slice(0, Math.max(0, Math.min(length, ply))));
      }}
    >
      <rect class="half-black" x={26} y={10} width={WIDTH - 34} height={HEIGHT / 2 - 10} />
      <rect class="half-white" x={26} y={HEIGHT / 2} width={WIDTH - 34} height={HEIGHT / 2 - 10} />
      {steps.map((value) => (
        <g key={value}>
          <line class={value === 0 ? 'zero' : 'rule'} x1={26} x2={WIDTH - 8} y1={y(value)} y2={y(value)} />
          <text class="axis" x={22} y={y(value) + 3}>
            {signed(value)}
          </text>
        </g>
      ))}
      {at <= length && <line class="cursor" x1={x(at)} x2={x(at)} y1={8} y2={HEIGHT - 8} />}
      {all.slice(1).map((point, i) => {
        const from = all[i]!;
        return <line key={point.ply} class={point.exact && from.exact ? 'run exact' : 'run'} x1={x(from.ply)} y1={y(clip(from.value, most))} x2={x(point.ply)} y2={y(clip(point.value, most))} />;
      })}
      {all.map((point) => {
        const [cx, cy] = [x(point.ply), y(clip(point.value, most))];
        const shade = `dot ${point.exact ? 'exact' : ''} ${point.mark ? 'marked' : ''}`;
        if (point.mark === '??') return <path key={point.ply} class={shade} d={`M${cx} ${cy - 4}l4 7h-8z`} />;
        if (point.mark === '?') return <rect key={point.ply} class={shade} x={cx - 3} y={cy - 3} width={6} height={6} />;
        return <circle key={point.ply} class={shade} cx={cx} cy={cy} r={point.mark ? 3.4 : 2} />;
      })}
    </svg>
  );
}

const clip = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

function Losses({ length }: { length: number }): JSX.Element | null {
  const judged = review.value;
  if (!judged || judged.moves.size === 0) return null;
  const sums = { X: 0, O: 0 };
  const lines: Record<'X' | 'O', string[]> = { X: ['26 140'], O: ['26 140'] };
  const total = Math.max(8, ...['X', 'O'].map((side) => [...judged.moves.values()].filter((move) => move.side === side).reduce((sum, move) => sum + move.loss, 0)));
  for (let ply = 1; ply <= length; ply += 1) {
    const move = judged.moves.get(ply);
    if (!move) continue;
    const side = move.side as 'X' | 'O';
    const x = 26 + (ply / length) * (WIDTH - 34);
    lines[side].push(`${x.toFixed(1)} ${(140 - (sums[side] / total) * 128).toFixed(1)}`);
    sums[side] += move.loss;
    lines[side].push(`${x.toFixed(1)} ${(140 - (sums[side] / total) * 128).toFixed(1)}`);
  }
  return (
    <figure>
      <svg class="graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line class="rule" x1={26} x2={WIDTH - 8} y1={140 - part * 128} y2={140 - part * 128} />
            <text class="axis" x={22} y={143 - part * 128}>
              {Math.round(total * part)}
            </text>
          </g>
        ))}
        <path class="sum black" d={`M${lines.X.join('L')}`} />
        <path class="sum white" d={`M${lines.O.join('L')}`} />
      </svg>
      <figcaption>{t('losses_caption', { black: number(sums.X, 1), white: number(sums.O, 1) })}</figcaption>
    </figure>
  );
}

function Totals(): JSX.Element | null {
  const summary = review.value?.summary;
  if (!summary) return null;
  const row = (side: 'black' | 'white'): JSX.Element => {
    const player = summary[side];
    return (
      <tr>
        <th scope="row">{player.name ?? t(side)}</th>
        {player.by_phase.map((loss, i) => (
          <td key={i}>{number(loss, 1)}</td>
        ))}
        <td>
          <strong>{number(player.loss, 1)}</strong>
        </td>
        <td>{player.marks.join(' / ')}</td>
      </tr>
    );
  };
  return (
    <div class="scroll">
      <table class="figures">
        <caption>{t('totals_caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('player')}</th>
            <th scope="col">1–20</th>
            <th scope="col">21–40</th>
            <th scope="col">41–60</th>
            <th scope="col">{t('all')}</th>
            <th scope="col">?! / ? / ??</th>
          </tr>
        </thead>
        <tbody>
          {row('black')}
          {row('white')}
        </tbody>
      </table>
    </div>
  );
}

const points = computed(findPoints);

/** The graph alone; a note where there is nothing to draw. */
export function GraphPicture(): JSX.Element {
  const all = points.value;
  const most = Math.min(64, Math.max(8, Math.ceil(Math.max(...all.map((point) => Math.abs(point.value)), 0) / 8) * 8));
  const { tree } = doc;
  if (all.length < 2) return <p class="note">{t('graph_no_values')}</p>;
  return <Picture all={all} most={tree.value.start.game === 'gomoku' ? 50 : most} length={mainFrom(tree.value, []).length} />;
}

export function Graph(): JSX.Element {
  const depth = useSignal<Depth>('normal');
  const tree = doc.tree.value;
  const full = mainFrom(tree, []);
  const length = full.length;
  const all = points.value;
  const judged = review.value;
  const gomoku = tree.start.game === 'gomoku';
  const here = all.find((point) => point.ply === doc.path.value.length);
  if (length === 0) return <Empty title={t('graph_empty')}><p>{t('graph_empty_hint')}</p></Empty>;
  const moves = movesTo(tree, full);
  const nameAt = (ply: number): string => (ply === 0 ? t('start_position') : `${ply}. ${moves[ply - 1] === PASS && !gomoku ? t('pass') : moveName(tree.start, moves[ply - 1]!)}`);
  return (
    <div class="stack">
      <GraphPicture />
      <label class="field slim">
        <span class="hidden">{t('ply')}</span>
        <input
          type="range"
          min={0}
          max={length}
          value={Math.min(doc.path.value.length, length)}
          aria-valuetext={`${nameAt(Math.min(doc.path.value.length, length))}${here ? `, ${signed(here.value, here.exact ? 0 : 1)} ${here.exact ? t('kind_exact') : ''}` : ''}`}
          onInput={(event) => doc.go(full.slice(0, Number(event.currentTarget.value)))}
        />
      </label>
      {!gomoku && (
        <div class="stack">
          {judged?.running ? (
            <div class="progress">
              <progress max={judged.total} value={judged.done} aria-label={t('reviewing')} />
              <span>{t('reviewing_at', { done: judged.done, total: judged.total })}</span>
              <Button icon="stop" label={t('stop')} onClick={stopReview} />
            </div>
          ) : (
            <>
              <Choose
                label={t('review_depth')}
                value={depth.value}
                choices={(Object.keys(DEPTHS) as Depth[]).map((id) => ({ value: id, label: t(`review_${id}`), hint: t(`review_${id}_hint`) }))}
                onChange={(value) => (depth.value = value)}
              />
              <div class="line-of-buttons">
                <Button kind="main" icon="graph" label={judged?.summary ? t('review_again') : t('review_start')} onClick={() => void startReview(depth.value)} />
              </div>
            </>
          )}
          {judged?.trouble && <p class="warning">{judged.trouble}</p>}
          <Totals />
          <Losses length={length} />
          {judged?.summary && (
            <div class="line-of-buttons">
              <Button label={t('take_marks')} onClick={() => doc.edit({ tree: withMarks(tree, judged), path: doc.path.value })} />
              <Button
                label={t('learn_mistakes')}
                onClick={() => {
                  const drills = drillsOf(tree, judged);
                  void keepDrills(drills).then(() => toast(t('drills_kept', { n: drills.length })));
                }}
              />
            </div>
          )}
        </div>
      )}
      {all.length > 0 && (
        <details>
          <summary>{t('as_table')}</summary>
          <div class="scroll">
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">{t('move')}</th>
                  <th scope="col">{t('value_for_black')}</th>
                  <th scope="col">{t('worth')}</th>
                  <th scope="col">{t('best_was')}</th>
                  <th scope="col">{t('loss')}</th>
                </tr>
              </thead>
              <tbody>
                {all.map((point) => {
                  const move = judged?.moves.get(point.ply);
                  return (
                    <tr key={point.ply}>
                      <th scope="row">{nameAt(point.ply)}</th>
                      <td>{signed(point.value, point.exact ? 0 : 1)}</td>
                      <td>{point.exact ? t('kind_exact') : t('estimate')}</td>
                      <td>{move?.best ?? ''}</td>
                      <td>{move ? `${number(move.loss, 1)} ${move.mark}` : ''}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </div>
  );
}
