import {
  type FinishedRestoration,
  finishRestoration,
  inspectStore,
  type StoreState,
} from '@sluice/event-store';
import type { Answer } from './answer.js';
import { refused } from './exit-codes.js';
import { recordAction } from './operator-actions.js';
import { counted } from './progress.js';
import { finishCells } from './restore-cells.js';
import type { Session } from './session.js';
import {
  foundText,
  type Reader,
  readersOf,
  rebuildText,
  type RestoreFlags,
} from './restored-store.js';

/**
 * `restore finish`: the last step after the database of a service that publishes events came back from
 * a backup (D-23). The store gets another incarnation, so that whoever follows its events makes its tables again from the store
 * and passes over what topics still hold of events that the store has lost.
 */
export async function finishRestore(session: Session, flags: RestoreFlags): Promise<Answer> {
  const { service, reason, execute } = flags;
  if (flags.cells === true) return finishCells(session, flags);
  const { length: cells } = session.settings.cellOwnerUrls ?? [];
  if (cells > 1) {
    throw refused(
      `Payments has ${cells} cells (PAYMENTS_CELL_OWNER_DATABASE_URLS), which must have the same ` +
        'incarnation: say --cells.',
    );
  }
  const schema = session.schema(service);
  const owner = session.database(service, 'owner');
  const state = await inspectStore(owner, schema);
  const readers = await readersOf(session, service);
  if (state.inRecovery) {
    throw refused(
      'The database is still recovering and takes no changes. Where it waits at its target, end that ' +
        'with "SELECT pg_wal_replay_resume()" or "pg_ctl promote", then say this again.',
    );
  }
  const found = foundText(service, state);
  if (execute !== true) {
    const plan = [...found, ...planText(state, readers)];
    const data = { executed: false, store: state, readers };
    return { data, text: [...plan, 'Nothing was done. Add --execute to do it.'].join('\n') };
  }
  session.throwIfInterrupted();
  const url = session.databaseUrl(service, 'owner');
  const details = { incarnation: state.incarnation };
  await recordAction({ url, schema }, { action: 'finish restore', reason, details });
  const finished = await finishRestoration(owner, schema);
  const data = { executed: true, ...finished, readers };
  return { data, text: [...found, ...doneText(finished, readers)].join('\n') };
}

function planText(
  { waiting, slotsHeld, dueStreams }: StoreState,
  readers: readonly Reader[],
): readonly string[] {
  return [
    'Would give it another incarnation. Events of this one that topics still have, and the store has ' +
      'lost, are passed over from then on.',
    ...(slotsHeld === 0
      ? []
      : [
          `Would free ${counted(slotsHeld, 'slot')} of the outbox that relays held when the backup was made.`,
        ]),
    `Would leave ${counted(waiting, 'event')} in the outbox: they are published, some of them again.`,
    `Would leave ${counted(dueStreams, 'stream')} to the sweeper, which does what is due in them.`,
    ...readers.flatMap((reader) => rebuildText(reader, 'would rebuild')),
  ];
}

function doneText(
  { after, slotsFreed }: FinishedRestoration,
  readers: readonly Reader[],
): readonly string[] {
  return [
    `It is ${after} now.`,
    ...(slotsFreed === 0 ? [] : [`Freed ${counted(slotsFreed, 'slot')} of the outbox.`]),
    ...readers.flatMap((reader) => rebuildText(reader, 'rebuilds')),
    'See "sluice projections list" for when that is done.',
  ];
}
