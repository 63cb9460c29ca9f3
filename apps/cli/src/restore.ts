import { databaseVariableOf } from '@sluice/contracts';
import {
  type FinishedRestoration,
  finishRestoration,
  inspectStore,
  type StoreState,
} from '@sluice/event-store';
import { listTableSets, type TableSet } from '@sluice/projections';
import type { Answer } from './answer.js';
import { refused } from './exit-codes.js';
import { recordAction } from './operator-actions.js';
import { counted } from './progress.js';
import type { Session } from './session.js';
import { instantText } from './text-table.js';

/** The flags of `restore finish`. */
export interface RestoreFlags {
  readonly reason?: string;
  readonly execute?: true;
}

/**
 * `restore finish`: the last step after payments' database came back from a backup (D-23). The store
 * gets another incarnation, so that whoever follows its events makes its tables again from the store
 * and passes over what topics still hold of events that the store has lost.
 */
export async function finishRestore(
  session: Session,
  { reason, execute }: RestoreFlags,
): Promise<Answer> {
  const schema = session.schema('payments');
  const owner = session.database('payments', 'owner');
  const state = await inspectStore(owner, schema);
  const tables = await tablesOf(session);
  if (state.inRecovery) {
    throw refused(
      'The database is still recovering and takes no changes. Where it waits at its target, end that ' +
        'with "SELECT pg_wal_replay_resume()" or "pg_ctl promote", then say this again.',
    );
  }
  const found = foundText(state);
  if (execute !== true) {
    const plan = [...found, ...planText(state, tables)];
    const data = { executed: false, store: state, tableSets: tables };
    return { data, text: [...plan, 'Nothing was done. Add --execute to do it.'].join('\n') };
  }
  session.throwIfInterrupted();
  const url = session.databaseUrl('payments', 'owner');
  const details = { incarnation: state.incarnation };
  await recordAction({ url, schema }, { action: 'finish restore', reason, details });
  const finished = await finishRestoration(owner, schema);
  const data = { executed: true, ...finished, tableSets: tables };
  return { data, text: [...found, ...doneText(finished, tables)].join('\n') };
}

/** Live tables of reporting; unknown where nobody has said where its database is. */
async function tablesOf(session: Session): Promise<readonly TableSet[] | null> {
  if (session.settings[databaseVariableOf('reporting', 'app')] === undefined) return null;
  try {
    const schema = session.schema('reporting');
    return await listTableSets(session.database('reporting'), schema);
  } catch (error) {
    session.say(`Reporting's tables are not known: ${(error as Error).name}.`);
    return null;
  }
}

function foundText({ incarnation, lastRecordedAtMs }: StoreState): readonly string[] {
  const last =
    lastRecordedAtMs === undefined
      ? 'It has no events.'
      : `Its last event was recorded on ${instantText(lastRecordedAtMs)} UTC.`;
  return [`The store of payments is ${incarnation}. ${last}`];
}

function planText(
  { waiting, slotsHeld, dueStreams }: StoreState,
  tables: readonly TableSet[] | null,
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
    `Would leave ${counted(dueStreams, 'payment')} to the sweeper, which asks the acquirer how they ended.`,
    ...rebuildText(tables, 'Reporting would rebuild'),
  ];
}

function doneText(
  { after, slotsFreed }: FinishedRestoration,
  tables: readonly TableSet[] | null,
): readonly string[] {
  return [
    `It is ${after} now.`,
    ...(slotsFreed === 0 ? [] : [`Freed ${counted(slotsFreed, 'slot')} of the outbox.`]),
    ...rebuildText(tables, 'Reporting rebuilds'),
    'See "sluice projections list" for when that is done.',
  ];
}

function rebuildText(tables: readonly TableSet[] | null, begin: string): readonly string[] {
  if (tables === null) return [`${begin} its tables from the store.`];
  return tables
    .filter(({ state }) => state === 'live')
    .map(
      ({ id, projection, incarnation }) =>
        `${begin} ${projection} from the store; tables ${id}, which queries read until then, are ` +
        `made of ${incarnation ?? 'no store yet'}.`,
    );
}
