import {
  databaseVariableOf,
  type EventPublisher,
  readersOfEvents,
  type ServiceWithTables,
  servicesWithTables,
} from '@sluice/contracts';
import type { StoreState } from '@sluice/event-store';
import { listTableSets, type TableSet } from '@sluice/projections';
import type { StoreFlags } from './command-parts.js';
import type { Session } from './session.js';
import { instantText } from './text-table.js';

/** The flags of `restore finish`. */
export interface RestoreFlags extends StoreFlags {
  readonly cells?: true;
  readonly reason?: string;
  readonly execute?: true;
}

/** A service that makes tables of the restored events. */
export interface Reader {
  readonly service: ServiceWithTables;
  /** Null where nobody has said where its database is. */
  readonly tableSets: readonly TableSet[] | null;
}

/** The services that make tables of a publisher's events. */
export async function readersOf(
  session: Session,
  publisher: EventPublisher,
): Promise<readonly Reader[]> {
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

/** What was found in a store. */
export function foundText(
  service: EventPublisher,
  { incarnation, lastRecordedAtMs }: StoreState,
): readonly string[] {
  const last =
    lastRecordedAtMs === undefined
      ? 'It has no events.'
      : `Its last event was recorded on ${instantText(lastRecordedAtMs)} UTC.`;
  return [`The store of ${service} is ${incarnation}. ${last}`];
}

/** What becomes of a reader's tables. */
export function rebuildText({ service, tableSets }: Reader, verb: string): readonly string[] {
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
