import { listParked, listTableSets, type ParkedEvent, requestRedrive } from '@sluice/projections';
import { failed } from './exit-codes.js';
import type { Session } from './session.js';

/** An event that a projection could not fold, or one behind it. */
export interface ParkedLetter extends ParkedEvent {
  readonly kind: 'parked';
  /** `parked:<tables>:<payment>:<version>`. */
  readonly id: string;
  readonly projection: string;
}

/** What every projection has parked, oldest first. */
export async function readParked(session: Session): Promise<readonly ParkedLetter[]> {
  const database = session.database('reporting');
  const schema = session.schema('reporting');
  const sets = await listTableSets(database, schema);
  const projections = new Map(sets.map(({ id, projection }) => [id, projection]));
  return (await listParked(database, schema)).map((event) => ({
    kind: 'parked',
    id: `parked:${event.tableSet}:${event.streamId}:${event.version}`,
    projection: projections.get(event.tableSet) ?? 'unknown',
    ...event,
  }));
}

/** The event as it arrived. Throws CommandEnded when it is not parked any more. */
export async function parkedText(session: Session, letter: ParkedLetter): Promise<string> {
  const text = `SELECT event FROM ${session.schema('reporting')}.parked
    WHERE table_set = $1 AND stream_id = $2 AND version = $3`;
  const values = [letter.tableSet, letter.streamId, letter.version];
  const { rows } = await session.database('reporting').query<{ event: string }>(text, values);
  const event = rows[0]?.event;
  if (event === undefined) throw failed(`${letter.id} is not parked any more.`);
  return event;
}

/** Asks reporting to fold the payments of these events again; it looks every second. */
export async function redriveParked(
  session: Session,
  letters: readonly ParkedLetter[],
): Promise<number> {
  const streams = [...new Set(letters.map(({ streamId }) => streamId))];
  const database = session.database('reporting');
  for (const stream of streams) {
    await requestRedrive(database, session.schema('reporting'), stream);
  }
  return streams.length;
}
