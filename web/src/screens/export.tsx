// The sheet that gives a game away: as a link, as text in many notations, as a picture of the board or of the graph.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { t, type Key } from '../i18n';
import * as analysis from '../app/analysis';
import { editing } from '../app/dialogs';
import * as doc from '../app/document';
import { toast } from '../app/announce';
import { askAll } from '../app/engine';
import { currentLink, flipped } from '../app/route';
import { settings } from '../app/settings';
import { gameFields, gameInput, transcript } from '../app/wire';
import type { Kind, LineObject, Notation } from '../engine/messages';
import { moveName, OTHELLO_START } from '../model/rules';
import { mainFrom } from '../model/tree';
import { Button, Choose, Dialog, Switch } from '../ui/ui';
import { download } from '../ui/files';
import { writeSgf } from '../ui/sgf';
import { GraphPicture } from './graph';

const FORMATS = ['link', 'transcript', 'board', 'sgf', 'ggf', 'obf', 'json', 'svg', 'png'] as const;
type Format = (typeof FORMATS)[number];
const format = signal<Format>('link');
const ENDINGS: Record<string, string> = { transcript: 'txt', board: 'txt', sgf: 'sgf', ggf: 'ggf', obf: 'obf', json: 'json', link: 'txt', svg: 'svg', png: 'png' };
const subject = signal<'board' | 'graph'>('board');
const look = signal({ values: true, numbers: false, arrows: false, print: false });
/** Moves of the best line that become arrows. */
const ARROWS = 3;
/** Pixels of a picture's width. */
const WIDTH = 1080;

/** The board as the engine's own drawing code makes it: the same for page, print and command line. */
async function board(): Promise<string> {
  const at = doc.position.value;
  const lines = look.value.values || look.value.arrows ? (analysis.known.value?.lines ?? []) : [];
  const values = lines.map((line): LineObject => ({
    move: moveName(at, line.move),
    value: line.value,
    kind: line.kind as Kind,
    depth: line.depth,
    confidence: line.confidence ?? null,
    stones: line.stones ?? null,
    pv: [...line.pv],
  }));
  const best = (lines[0]?.pv ?? []).filter((name) => name !== 'pass').slice(0, ARROWS + 1);
  const marks = (doc.node.value.marks ?? []).map(({ at: square, shape, text }) => `${moveName(at, square)}=${shape === 'letter' ? (text ?? 'A') : shape}`);
  const [picture] = await askAll('picture', {
    ...gameFields(at),
    input: gameInput(doc.tree.value, doc.path.value),
    ...(look.value.values && { values }),
    numbers: look.value.numbers,
    ...(look.value.arrows && { arrows: best.slice(1).map((name, i) => `${best[i]!}-${name}`) }),
    marks,
    turned: flipped.value,
    bare: !settings.value.coordinates,
    print: look.value.print,
  });
  return picture?.svg ?? '';
}

/** A picture of the page with the style that it needs anywhere else. */
function standalone(svg: SVGElement): string {
  const copy = svg.cloneNode(true) as SVGElement;
  const from = [svg, ...svg.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((element, i) => {
    const style = getComputedStyle(from[i]!);
    for (const name of ['fill', 'stroke', 'stroke-width', 'font-size', 'font-family', 'text-anchor', 'stroke-dasharray']) {
      element.setAttribute(name, style.getPropertyValue(name));
    }
    element.removeAttribute('class');
  });
  const [, , width, height] = copy.getAttribute('viewBox')!.split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width!);
  copy.setAttribute('height', height!);
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of [['width', '100%'], ['height', '100%'], ['fill', getComputedStyle(svg.closest('dialog') ?? document.body).backgroundColor]] as const) paper.setAttribute(name, value);
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

const address = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

async function pngOf(svg: string): Promise<Blob | null> {
  const image = new Image();
  image.src = address(svg);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * image.naturalHeight) / Math.max(1, image.naturalWidth)) || WIDTH;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

async function produce(which: Format): Promise<string> {
  const tree = doc.tree.value;
  const full = mainFrom(tree, []);
  switch (which) {
    case 'link':
      return new URL(await currentLink('analyze'), location.href).href;
    case 'sgf':
      return writeSgf(tree);
    case 'svg':
    case 'png':
      return subject.value === 'board' ? board() : '';
    case 'json':
      return JSON.stringify({ game: tree.start.game, link: await currentLink('analyze'), moves: transcript(tree, full), tags: tree.tags }, null, 1);
    default: {
      if (tree.start.game === 'gomoku') return transcript(tree, full);
      if (which === 'transcript' && tree.start.cells === OTHELLO_START.cells) return transcript(tree, full);
      const path = which === 'board' || which === 'obf' ? doc.path.value : full;
      const written = await askAll('convert', { input: gameInput(tree, path), to: which as Notation });
      return written.map((each) => each.text).join('\n');
    }
  }
}

const LOOKS = ['values', 'numbers', 'arrows', 'print'] as const;

/** What is drawn, to be seen before it is saved. */
function Drawn({ svg, graph }: { svg: string; graph: { current: HTMLDivElement | null } }): JSX.Element {
  return (
    <>
      <Choose
        label={t('picture_of')}
        value={subject.value}
        choices={(['board', 'graph'] as const).map((value) => ({ value, label: t(value === 'board' ? 'board' : 'tab_graph') }))}
        onChange={(value) => (subject.value = value)}
      />
      {subject.value === 'board' ? (
        <>
          <div class="looks">
            {LOOKS.map((name) => (
              <Switch key={name} label={t(`picture_${name}`)} checked={look.value[name]} onChange={(on) => (look.value = { ...look.value, [name]: on })} />
            ))}
          </div>
          {svg && <img class="preview" src={address(svg)} alt={t('preview')} />}
        </>
      ) : (
        <div ref={graph}>
          <GraphPicture />
        </div>
      )}
    </>
  );
}

export function Export(): JSX.Element {
  const text = useSignal('');
  const trouble = useSignal('');
  const graph = useRef<HTMLDivElement>(null);
  const close = (): void => {
    editing.value = null;
  };
  const gomoku = doc.game.value === 'gomoku';
  const formats = FORMATS.filter((each) => !gomoku || !['board', 'ggf', 'obf'].includes(each));
  const drawn = format.value === 'svg' || format.value === 'png';
  useEffect(() => {
    let isOld = false;
    trouble.value = '';
    void produce(format.value).then(
      (written) => {
        if (!isOld) text.value = written;
      },
      (error: unknown) => {
        if (!isOld) trouble.value = (error as Error).message;
      },
    );
    return () => {
      isOld = true;
    };
  }, [format.value, subject.value, look.value]);
  const saveIt = async (): Promise<void> => {
    const name = `outflank.${ENDINGS[format.value]}`;
    const shown = graph.current?.querySelector('svg');
    const content = drawn && subject.value === 'graph' ? (shown ? standalone(shown) : '') : text.value;
    if (!content) {
      toast(t('graph_no_values'));
      return;
    }
    if (format.value === 'png') {
      const blob = await pngOf(content);
      if (blob) download(name, blob, 'image/png');
    } else download(name, `${content}\n`, format.value === 'svg' ? 'image/svg+xml' : 'text/plain');
  };
  return (
    <Dialog title={t('export')} onClose={close}>
      <div class="stack">
        <Choose label={t('format')} value={format.value} choices={formats.map((each) => ({ value: each, label: t(`format_${each}` as Key) }))} onChange={(value) => (format.value = value)} />
        {trouble.value && <p class="warning">{trouble.value}</p>}
        {drawn ? (
          <Drawn svg={text.value} graph={graph} />
        ) : (
          <label class="field tall">
            <span class="hidden">{t('text')}</span>
            <textarea class="mono" rows={6} readOnly value={text.value} />
          </label>
        )}
        {format.value === 'link' && text.value.length > 2000 && <p class="warning">{t('link_long')}</p>}
        <div class="line-of-buttons end">
          {!drawn && (
            <Button
              kind="main"
              label={t('copy')}
              onClick={() =>
                void navigator.clipboard.writeText(text.value).then(
                  () => toast(t('copied')),
                  () => toast(t('copy_failed')),
                )
              }
            />
          )}
          <Button kind={drawn ? 'main' : 'plain'} label={t('save_file')} onClick={() => void saveIt()} />
          {drawn && <Button label={t('print')} onClick={() => (close(), setTimeout(() => print(), 100))} />}
        </div>
      </div>
    </Dialog>
  );
}
