// Analysis: values on the squares, lines, moves with variations, graph and review, comments and marks.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { number, t } from '../i18n';
import * as analysis from '../app/analysis';
import * as doc from '../app/document';
import { editing } from '../app/dialogs';
import { engineState } from '../app/engine';
import { opening, openingLanguage, openingText } from '../app/naming';
import { set, settings } from '../app/settings';
import { insertLine, annotate, GLYPHS, makeMain, promote, remove, type Mark } from '../model/tree';
import { moveName, parseMove, type Position } from '../model/rules';
import { inPanel, inWords, kindText } from '../model/worth';
import type { Line } from '../engine/cache';
import { Button, Select, Switch, Tabs } from '../ui/ui';
import { toast } from '../app/announce';
import { Graph } from './graph';
import { Moves } from './moves';
import { Table } from './table';
import { Names } from './names';

export const tab = signal('engine');

function LineRow({ line, position }: { line: Line; position: Position }): JSX.Element {
  const shown = settings.value.black && position.side === 'O' && position.game === 'othello' ? { ...line, value: -line.value } : line;
  const follow = (length: number): void => {
    const moves = line.pv.slice(0, length).flatMap((name) => parseMove(position, name) ?? []);
    const next = insertLine(doc.tree.value, doc.path.value, moves);
    doc.edit(next);
  };
  return (
    <li class="line-row">
      <button type="button" class="lead" onClick={() => follow(1)} aria-label={`${moveName(position, line.move)}, ${inWords(shown, position.game)}`}>
        <b>{moveName(position, line.move)}</b>
        <span class={`figure ${line.kind}`}>{inPanel(shown, position.game)}</span>
        <small>{kindText(line)}</small>
      </button>
      <span class="pv">
        {line.pv.slice(1, 13).map((name, i) => (
          <button key={i} type="button" onClick={() => follow(i + 2)}>
            {name === 'pass' ? t('pass') : name}
          </button>
        ))}
      </span>
    </li>
  );
}

export function EnginePanel(): JSX.Element {
  const at = doc.position.value;
  const known = analysis.known.value;
  const shown = analysis.lines.value;
  const exact = known?.lines[0]?.kind === 'exact' && known.lines[0].value !== undefined;
  const empties = [...at.cells].filter((cell) => cell === '-').length;
  return (
    <div class="stack">
      <div class="line-of-buttons">
        <Button
          kind="main"
          icon={analysis.on.value ? 'stop' : 'play'}
          label={analysis.on.value ? t('stop') : t('analyze_start')}
          onClick={() => (analysis.on.value = !analysis.on.value)}
        />
        <Button label={t('deeper')} onClick={analysis.deeper} disabled={doc.over.value} />
        {at.game === 'othello' && (
          <Button label={t('solve_exactly')} title={t('solve_exactly_hint', { n: empties })} onClick={analysis.solveExactly} disabled={doc.over.value || empties > 34 || exact} />
        )}
      </div>
      {engineState.value === 'failed' || analysis.trouble.value ? <p class="warning">{analysis.trouble.value || t('engine_failed')}</p> : null}
      {doc.over.value ? (
        <p class="note">{t('analyze_over')}</p>
      ) : doc.passes.value ? (
        <p class="note">{t('analyze_pass')}</p>
      ) : shown.length > 0 ? (
        <>
          <p class="note figures-line" aria-hidden="true">
            {analysis.searching.value && <span class="spinner" />}
            {t('searched', { nodes: number(known?.nodes ?? 0), seconds: number(known?.seconds ?? 0, 1) })}
          </p>
          <ol class="lines">
            {shown.slice(0, 24).map((line) => (
              <LineRow key={line.move} line={line} position={at} />
            ))}
          </ol>
        </>
      ) : analysis.trouble.value ? null : (
        <p class="note">
          {analysis.searching.value && <span class="spinner" />}
          {analysis.on.value ? t('searching') : t('analyze_hint')}
        </p>
      )}
      <details>
        <summary>{t('engine_options')}</summary>
        <div class="stack">
          <Select
            label={t('time_a_position')}
            value={String(settings.value.seconds)}
            choices={[1, 3, 10, 30, 120, 600].map((n) => ({ value: String(n), label: t('seconds_n', { n }) }))}
            onChange={(value) => set('seconds', Number(value))}
          />
          <Select
            label={t('lines_shown')}
            value={String(settings.value.lines)}
            choices={[1, 3, 5, 64].map((n) => ({ value: String(n), label: n === 64 ? t('all_moves') : String(n) }))}
            onChange={(value) => set('lines', Number(value))}
          />
          <Switch label={t('values_for_black')} checked={settings.value.black} onChange={(on) => set('black', on)} />
        </div>
      </details>
      {at.game === 'othello' && <Names />}
    </div>
  );
}

const SHAPES: readonly Mark['shape'][] = ['circle', 'triangle', 'square', 'cross'];
const markShape = signal<Mark['shape'] | ''>('');
const markAt = signal('');

function Comments(): JSX.Element {
  const { node, path, tree, position } = doc;
  const change = (next: Parameters<typeof annotate>[2]): void => doc.edit({ tree: annotate(tree.value, path.value, next), path: path.value });
  const putMark = (): void => {
    const at = parseMove(position.value, markAt.value.trim());
    if (at === null || at >= position.value.cells.length) {
      toast(t('not_a_square', { text: markAt.value }));
      return;
    }
    const marks = (node.value.marks ?? []).filter((mark) => mark.at !== at);
    const shape = markShape.value || 'circle';
    const had = (node.value.marks ?? []).some((mark) => mark.at === at && mark.shape === shape);
    change({ marks: had ? marks : [...marks, { at, shape }] });
    markAt.value = '';
  };
  return (
    <div class="stack">
      <label class="field tall">
        <span class="words">{t('comment_here')}</span>
        <textarea key={path.value.join('.')} rows={4} value={node.value.comment ?? ''} placeholder={t('comment_hint')} onChange={(event) => change({ comment: event.currentTarget.value })} />
      </label>
      <div class="glyphs" role="group" aria-label={t('mark_move')}>
        {GLYPHS.map((glyph) => (
          <button key={glyph} type="button" class="button plain" aria-pressed={node.value.glyph === glyph} disabled={path.value.length === 0} onClick={() => change({ glyph: node.value.glyph === glyph ? '' : glyph })}>
            {glyph}
          </button>
        ))}
      </div>
      <form
        class="line-of-fields"
        onSubmit={(event) => {
          event.preventDefault();
          putMark();
        }}
      >
        <Select label={t('board_mark')} value={markShape.value || 'circle'} choices={SHAPES.map((shape) => ({ value: shape, label: t(`mark_${shape}` as 'mark_circle') }))} onChange={(value) => (markShape.value = value)} />
        <label class="field">
          <span class="words">{t('on_square')}</span>
          <input type="text" size={4} value={markAt.value} placeholder="d3" autocomplete="off" onInput={(event) => (markAt.value = event.currentTarget.value)} />
        </label>
        <button type="submit" class="button plain">
          {t('put')}
        </button>
      </form>
      <div class="line-of-buttons">
        <Button icon="up" label={t('promote')} disabled={!path.value.at(-1)} onClick={() => doc.edit(promote(tree.value, path.value))} />
        <Button icon="check" label={t('make_main')} disabled={path.value.every((step) => step === 0)} onClick={() => doc.edit(makeMain(tree.value, path.value))} />
        <Button
          icon="trash"
          kind="danger"
          label={t('delete_from_here')}
          disabled={path.value.length === 0}
          onClick={() => {
            doc.edit(remove(tree.value, path.value));
            toast(t('deleted'), { label: t('undo'), run: doc.undo });
          }}
        />
      </div>
    </div>
  );
}

export function Analyze(): JSX.Element {
  const name = openingText(opening.value);
  return (
    <div class="two">
      <Table showValues />
      <section class="panel" aria-label={t('panel')}>
        <div class="panel-head">
          <p class="opening" lang={openingLanguage(opening.value)}>
            {name || '\u00a0'}
          </p>
          <div class="tools">
            <Button icon="undo" label={t('undo_edit')} text={false} kind="quiet" disabled={!doc.canUndo.value} onClick={doc.undo} />
            <Button icon="redo" label={t('redo_edit')} text={false} kind="quiet" disabled={!doc.canRedo.value} onClick={doc.redo} />
            <Button icon="plus" label={t('new_board')} text={false} kind="quiet" onClick={() => doc.newGame()} />
            <Button icon="paste" label={t('paste')} text={false} kind="quiet" onClick={() => (editing.value = 'paste')} />
            {doc.game.value === 'othello' && <Button icon="edit" label={t('position_editor')} text={false} kind="quiet" onClick={() => (editing.value = 'board')} />}
            <Button icon="share" label={t('export')} text={false} kind="quiet" onClick={() => (editing.value = 'export')} />
            <Button icon="save" label={t('save_library')} text={false} kind="quiet" onClick={() => (editing.value = 'save')} />
          </div>
        </div>
        <Tabs
          label={t('panel')}
          active={tab.value}
          onChange={(id) => (tab.value = id)}
          tabs={[
            { id: 'engine', label: t('tab_engine'), content: () => <EnginePanel /> },
            { id: 'moves', label: t('tab_moves'), content: () => <Moves /> },
            { id: 'graph', label: t('tab_graph'), content: () => <Graph /> },
            { id: 'comments', label: t('tab_comments'), content: () => <Comments /> },
          ]}
        />
      </section>
    </div>
  );
}

