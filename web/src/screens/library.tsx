// The games that are kept in this browser.
import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { plural, t } from '../i18n';
import { toast } from '../app/announce';
import * as doc from '../app/document';
import { editing } from '../app/dialogs';
import { games, keepCurrent, refresh, store, storeMissing } from '../app/keep';
import { show } from '../app/route';
import { match } from '../app/match';
import { readGame, readLink } from '../model/link';
import type { GameRecord } from '../model/store';
import { Picture } from '../board/picture';
import { mainFrom, positionAt } from '../model/tree';
import { Button, Choose, Empty } from '../ui/ui';
import { download } from '../ui/files';

const query = signal('');
const bin = signal<'kept' | 'bin'>('kept');

const found = computed(() => {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  return games.value.filter((record) => {
    if ((record.binned !== null) !== (bin.value === 'bin')) return false;
    const text = [record.name, record.opening, record.result, ...record.labels].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
});

async function open(record: GameRecord): Promise<void> {
  const link = await readLink(record.link);
  if (!link.tree) return;
  await keepCurrent();
  match.value = null;
  doc.open(link.tree, link.path, record.id);
  show('analyze');
}

async function change(record: GameRecord, edit: Partial<GameRecord>): Promise<void> {
  await store.value?.put({ ...record, ...edit });
  await refresh();
}

function Row({ record }: { record: GameRecord }): JSX.Element {
  const { tree } = readGame(record.link.replace(/^#\/\w+\//, '').replace(/[@?].*$/, ''));
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(record.changed));
  return (
    <li class="card game-card">
      <div class="thumb" aria-hidden="true">
        <Thumb tree={tree} />
      </div>
      <div class="about">
        <b>{record.name}</b>
        <small>
          {[record.game === 'gomoku' ? t('gomoku') : '', record.result, record.opening, plural('plies', record.moves), day].filter(Boolean).join(' · ')}
        </small>
        {record.labels.length > 0 && <small class="labels">{record.labels.map((label) => `#${label}`).join(' ')}</small>}
        <div class="line-of-buttons">
          {record.binned === null ? (
            <>
              <Button kind="main" label={t('open')} onClick={() => void open(record)} />
              <Button
                icon="trash"
                label={t('to_bin')}
                text={false}
                kind="quiet"
                onClick={() => {
                  void change(record, { binned: Date.now() });
                  toast(t('in_bin'), { label: t('undo'), run: () => void change(record, { binned: null }) });
                }}
              />
            </>
          ) : (
            <Button label={t('restore')} onClick={() => void change(record, { binned: null })} />
          )}
        </div>
      </div>
    </li>
  );
}

function Thumb({ tree }: { tree: ReturnType<typeof readGame>['tree'] }): JSX.Element {
  const at = positionAt(tree, mainFrom(tree, []));
  return (
    <Picture position={at} turn={false} coordinates={false} legal={[]} last={null} turned={[]} values={new Map()} best={new Set()} marks={[]} numbers={new Map()} ghost={null} forbidden={[]} bars={false} next={null} />
  );
}

export function Library(): JSX.Element {
  const importAll = async (file: File): Promise<void> => {
    try {
      const n = (await store.value?.importAll(JSON.parse(await file.text()))) ?? 0;
      await refresh();
      toast(plural('imported', n));
    } catch {
      toast(t('import_failed', { name: file.name }));
    }
  };
  return (
    <div class="page wide-page">
      <h1>{t('screen_library')}</h1>
      {storeMissing.value && <p class="warning">{t('no_storage')}</p>}
      <div class="line-of-fields">
        <label class="field grow">
          <span class="words">{t('search')}</span>
          <input type="search" value={query.value} placeholder={t('search_hint')} onInput={(event) => (query.value = event.currentTarget.value)} />
        </label>
        <Choose
          label={t('which_games')}
          value={bin.value}
          choices={[
            { value: 'kept', label: t('kept') },
            { value: 'bin', label: t('bin') },
          ]}
          onChange={(value) => (bin.value = value)}
        />
      </div>
      <div class="line-of-buttons">
        <Button icon="save" kind="main" label={t('save_library')} onClick={() => (editing.value = 'save')} />
        <Button icon="paste" label={t('paste')} onClick={() => (editing.value = 'paste')} />
        <Button label={t('export_all')} disabled={games.value.length === 0} onClick={() => void store.value?.exportAll().then((all) => download('outflank-library.json', JSON.stringify(all), 'application/json'))} />
        <label class="button plain file">
          {t('import_all')}
          <input
            type="file"
            accept=".json"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) void importAll(file);
              event.currentTarget.value = '';
            }}
          />
        </label>
      </div>
      {found.value.length === 0 ? (
        <Empty title={t(query.value ? 'search_empty' : bin.value === 'bin' ? 'bin_empty' : 'library_empty')}>{!query.value && bin.value === 'kept' && <p>{t('library_empty_hint')}</p>}</Empty>
      ) : (
        <ul class="games">
          {found.value.slice(0, 200).map((record) => (
            <Row key={record.id} record={record} />
          ))}
        </ul>
      )}
      {bin.value === 'bin' && <p class="note">{t('bin_hint')}</p>}
    </div>
  );
}
