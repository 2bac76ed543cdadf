// Which games the openings screen counts: the library's, files that a person adds, those of the server.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { number, plural, t } from '../i18n';
import * as collections from '../app/collections';
import { unknownCalls } from '../app/engine';
import { games } from '../app/keep';
import { filter, source, type Source } from '../app/openings';
import type { SourceObject } from '../engine/messages';
import { Button, Select } from '../ui/ui';

function Files({ list }: { list: readonly SourceObject[] }): JSX.Element {
  return (
    <ul class="files">
      {list.map((file) => (
        <li key={file.name}>
          <span class="name">{file.name}</span>
          <small>
            {plural('games_n', file.games)}
            {file.bad > 0 && ` · ${plural('bad_games', file.bad)}`}
          </small>
          <Button icon="trash" label={t('forget_file', { name: file.name })} text={false} kind="quiet" onClick={() => void collections.forgetFile(file.name)} />
        </li>
      ))}
    </ul>
  );
}

function Filter(): JSX.Element {
  const player = useSignal(filter.value.player ?? '');
  const first = useSignal(filter.value.first_year ? String(filter.value.first_year) : '');
  const last = useSignal(filter.value.last_year ? String(filter.value.last_year) : '');
  const year = (text: string): number | null => (/^\d{4}$/.test(text.trim()) ? Number(text) : null);
  const apply = (): void => {
    filter.value = {
      ...(player.value.trim() && { player: player.value.trim() }),
      ...(year(first.value) !== null && { first_year: year(first.value) }),
      ...(year(last.value) !== null && { last_year: year(last.value) }),
    };
  };
  const field = (label: string, own: typeof player, size: number): JSX.Element => (
    <label class="field">
      <span class="words">{label}</span>
      <input type="text" size={size} inputMode={size < 8 ? 'numeric' : 'text'} autocomplete="off" value={own.value} onInput={(event) => (own.value = event.currentTarget.value)} onChange={apply} />
    </label>
  );
  return (
    <form
      class="line-of-fields"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {field(t('player'), player, 14)}
      {field(t('from_year'), first, 5)}
      {field(t('to_year'), last, 5)}
      <button type="submit" class="button plain">
        {t('apply')}
      </button>
    </form>
  );
}

export function GameFiles({ positions }: { positions: number }): JSX.Element {
  const own = games.value.filter((record) => record.game === 'othello' && record.binned === null).length;
  const files = collections.own.value?.sources ?? [];
  const served = collections.served.value;
  const work = collections.progress.value;
  const sources: Source[] = ['all', 'library', ...(files.length > 0 ? (['own'] as const) : []), ...(served && served.games > 0 ? (['server'] as const) : [])];
  const counted = own + files.reduce((sum, file) => sum + file.games, 0) + (served?.games ?? 0);
  const drop = useSignal(false);
  return (
    <section
      class={drop.value ? 'game-files drop' : 'game-files'}
      aria-label={t('counted_games')}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        event.stopPropagation();
        drop.value = true;
      }}
      onDragLeave={() => (drop.value = false)}
      onDrop={(event) => {
        drop.value = false;
        const list = [...(event.dataTransfer?.files ?? [])];
        if (list.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        void collections.addFiles(list);
      }}
    >
      <h2>{t('counted_games')}</h2>
      {counted === 0 && <p class="note">{t('no_games_counted')}</p>}
      {own > 0 && (
        <p class="note">
          {plural('own_games', own)} {t('figures_from_games', { n: number(positions) })}
        </p>
      )}
      {files.length > 0 && <Files list={files} />}
      {served && served.games > 0 && <p class="note">{plural('served_games', served.games)}</p>}
      {work && (
        <div class="progress" role="status">
          <progress max={work.total} value={work.done} aria-label={work.name} />
          <small>{work.name}</small>
          <Button icon="stop" label={t('stop')} text={false} kind="quiet" onClick={collections.stopAdding} />
        </div>
      )}
      {collections.trouble.value && <p class="warning">{collections.trouble.value}</p>}
      {collections.bad.value.length > 0 && (
        <details>
          <summary>{t('unreadable_games')}</summary>
          <ul class="bad-games">
            {collections.bad.value.map((game, i) => (
              <li key={i}>{[game.source, game.number > 0 ? t('game_n', { n: game.number }) : '', game.line ? t('line_n', { n: game.line }) : '', game.reason].filter(Boolean).join(' · ')}</li>
            ))}
          </ul>
        </details>
      )}
      {!unknownCalls.value.has('games') && (
        <div class="line-of-buttons">
          <label class="button plain file">
            {t('add_game_files')}
            <input
              type="file"
              multiple
              disabled={work !== null}
              onChange={(event) => {
                const list = [...(event.currentTarget.files ?? [])];
                event.currentTarget.value = '';
                void collections.addFiles(list);
              }}
            />
          </label>
        </div>
      )}
      <p class="note">{t('game_files_hint')}</p>
      {(files.length > 0 || (served?.games ?? 0) > 0) && (
        <details>
          <summary>{t('which_games_count')}</summary>
          <div class="stack">
            <Select label={t('source')} value={source.value} choices={sources.map((value) => ({ value, label: t(`source_${value}`) }))} onChange={(value) => (source.value = value)} />
            <Filter />
          </div>
        </details>
      )}
    </section>
  );
}
