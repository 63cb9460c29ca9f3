import {
  databaseVariableOf,
  type EventPublisher,
  readersOfEvents,
  type ServiceWithTables,
  servicesWithTables,
} from '@sluice/contracts';
import {
  type FinishedRestoration,
  finishRestoration,
  inspectStore,
  type StoreState,
} from '@sluice/event-store';
import { listTableSets, type TableSet } from '@sluice/projections';
import type { Answer } from './answer.js';
import type { StoreFlags } from './command-parts.js';
import { refused } from './exit-codes.js';
import { recordAction } from './operator-actions.js';
import { counted } from './progress.js';
import type { Session } from './session.js';
import { instantText } from './text-table.js';

/** The flags of `restore finish`. */
export interface RestoreFlags extends StoreFlags {
  readonly reason?: string;
  readonly execute?: true;
}

/**
 * `restore finish`: the last step after the database of a service that publishes events came back from
 * a backup (D-23). The store gets another incarnation, so that whoever follows its events makes its tables again from the store
 * and passes over what topics still hold of events that the store has lost.
 */
export async function finishRestore(
  session: Session,
  { service, reason, execute }: RestoreFlags,
): Promise<Answer> {
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

/** A service that makes tables of the restored events. */
interface Reader {
  readonly service: ServiceWithTables;
  /** Null where nobody has said where its database is. */
  readonly tableSets: readonly TableSet[] | null;
}

async function readersOf(session: Session, publisher: EventPublisher): Promise<readonly Reader[]> {
  const readers = readersOfEvents(publisher);
  const found: Reader[] = [];
  for (const service of servicesWithTables.filter((one) => readers.includes(one))) {
    found.push({ service, tableSets: await tablesOf(session, service) });
  }
  return found;
}

async function tablesOf(
  session: Session,
  service: ServiceWithTables,
): Promise<readonly TableSet[] | null> {
  if (session.settings[databaseVariableOf(service, 'app')] === undefined) return null;
  try {
    return await listTableSets(session.database(service), session.schema(service));
  } catch (error) {
    session.say(`The tables of ${service} are not known: ${(error as Error).name}.`);
    return null;
  }
}

function foundText(
  service: EventPublisher,
  { incarnation, lastRecordedAtMs }: StoreState,
): readonly string[] {
  const last =
    lastRecordedAtMs === undefined
      ? 'It has no events.'
      : `Its last event was recorded on ${instantText(lastRecordedAtMs)} UTC.`;
  return [`The store of ${service} is ${incarnation}. ${last}`];
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

function rebuildText({ service, tableSets }: Reader, verb: string): readonly string[] {
  const begin = `${service.slice(0, 1).toUpperCase()}${service.slice(1)} ${verb}`;
  if (tableSets === null) return [`${begin} its tables from the store.`];
  return tableSets
    .filter(({ state }) => state === 'live')
    .map(
      ({ id, projection, incarnation }) =>
        `${begin} ${projection} from the store; tables ${id}, which queries read until then, are ` +
        `made of ${incarnation ?? 'no store yet'}.`,
    );
}
