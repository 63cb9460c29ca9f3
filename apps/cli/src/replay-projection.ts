import {
  compareTableSets,
  type Difference,
  dropTableSet,
  fillTableSet,
  type Projection,
  type Rebuilt,
  rollBackTableSet,
  switchTableSet,
  type Switched,
  type TableSet,
  TableSetRefused,
} from '@sluice/projections';
import type { Answer } from './answer.js';
import { differenceText } from './difference-text.js';
import { durationText } from './durations.js';
import { CommandEnded, exitCodes, refused, usage } from './exit-codes.js';
import { projectionNamed } from './known-projections.js';
import { recordAction } from './operator-actions.js';
import { wholeText } from './progress.js';
import { tableSetsOf } from './projection-state.js';
import { appRoleOf, eventSourceOf, serviceNamed } from './settings.js';
import type { Session } from './session.js';
import { replayStep, type TracedReplay, tracedReplay } from './traced-replay.js';

/** What is to be done with a projection, in this order where several are given. */
export interface ProjectionWish {
  readonly into?: string;
  readonly diff?: true;
  readonly switch?: true;
  readonly rollback?: true;
  /** `true`: those that were live before the last switch. */
  readonly drop?: string | true;
  readonly reason?: string;
  readonly execute?: true;
}

/** What was done; a step that was not asked for is absent. */
interface Outcome {
  filled?: Rebuilt;
  difference?: Difference;
  switched?: Switched;
  rolledBack?: Switched;
  dropped?: number;
}

/** Rebuilds a projection from the event store beside the live tables (D-22). */
export async function replayProjection(
  session: Session,
  name: string,
  wish: ProjectionWish,
): Promise<Answer> {
  const projection = await projectionNamed(name);
  assertSensible(wish);
  const sets = await tableSetsOf(session, projection);
  const steps = stepsOf(projection, sets, wish);
  const changes = wish.into !== undefined || isChange(wish);
  if (changes && wish.execute !== true) {
    const text = [...steps, 'Nothing was done. Add --execute to do it.'].join('\n');
    return { data: { done: false, steps }, text };
  }
  const outcome: Outcome = {};
  try {
    await tracedReplay(name, session.processContext.environment, async (replay) => {
      if (changes) await record(session, name, wish, replay);
      await perform(session, projection, wish, { outcome, replay });
    });
  } catch (error) {
    if (error instanceof TableSetRefused) throw refused(error.message);
    throw error;
  }
  const differs = (outcome.difference?.differences ?? 0) > 0;
  return {
    data: { done: true, projection: name, ...outcome },
    text: textOf(outcome, wish),
    ...(differs && { exitCode: exitCodes.different }),
  };
}

function isChange(wish: ProjectionWish): boolean {
  return wish.switch === true || wish.rollback === true || wish.drop !== undefined;
}

function assertSensible(wish: ProjectionWish): void {
  const alone = [wish.rollback === true, wish.drop !== undefined].filter(Boolean).length;
  const forward = wish.into !== undefined || wish.diff === true || wish.switch === true;
  if (alone + (forward ? 1 : 0) !== 1) {
    throw usage(
      'Say what to do: --into shadow, --diff and --switch (together or apart), or --rollback, or --drop.',
    );
  }
  if (wish.into !== undefined && wish.into !== 'shadow') {
    throw usage('--into takes "shadow": tables beside those that are read.');
  }
}

/** Sentences of what would be done; throws CommandEnded where it cannot be. */
function stepsOf(
  projection: Projection,
  sets: readonly TableSet[],
  wish: ProjectionWish,
): readonly string[] {
  const live = sets.find(({ state }) => state === 'live');
  const following = sets.findLast(({ state }) => state === 'following');
  const previous = sets.find(({ state }) => state === 'previous');
  const shadow = wish.into === undefined ? following : undefined;
  const name = shadow === undefined ? 'the new tables' : `tables ${shadow.id}`;
  if (wish.into === undefined && (wish.diff === true || wish.switch === true)) {
    if (shadow === undefined) {
      throw refused('There are no shadow tables; make them with --into shadow --execute.');
    }
  }
  if (wish.switch === true && previous !== undefined) {
    throw refused(
      `Tables ${previous.id} are still kept for a rollback; drop them first with --drop --execute.`,
    );
  }
  const from = live === undefined ? 'nothing' : `tables ${live.id} (version ${live.version})`;
  return [
    ...(wish.into === undefined
      ? []
      : [`Would fill new tables of version ${projection.version} from the event store.`]),
    ...(wish.diff === true ? [`Would compare ${from} with ${name}.`] : []),
    ...(wish.switch === true ? [`Would let queries read ${name} instead of ${from}.`] : []),
    ...(wish.rollback === true
      ? [`Would let queries read ${tablesText(previous)} again instead of ${from}.`]
      : []),
    ...(wish.drop === undefined ? [] : [dropText(sets, wish.drop)]),
  ];
}

function tablesText(set: TableSet | undefined): string {
  if (set === undefined) throw refused('There are no earlier tables to go back to.');
  return `tables ${set.id} (version ${set.version})`;
}

function dropText(sets: readonly TableSet[], drop: string | true): string {
  const id = droppedId(sets, drop);
  const state = sets.find((set) => set.id === id)?.state;
  if (state === undefined) throw refused(`There are no tables ${id}.`);
  if (state === 'live') throw refused(`Tables ${id} are live: queries read them.`);
  return `Would drop tables ${id}.`;
}

const TABLE_SET = /^[0-9]{1,9}$/;

function droppedId(sets: readonly TableSet[], drop: string | true): number {
  if (drop === true) {
    const previous = sets.find(({ state }) => state === 'previous');
    if (previous !== undefined) return previous.id;
    throw refused('No tables are kept for a rollback; name those to drop: --drop NUMBER.');
  }
  if (!TABLE_SET.test(drop)) throw usage(`--drop: "${drop}" is no number of tables.`);
  return Number(drop);
}

async function record(
  session: Session,
  name: string,
  { into, diff, switch: switched, rollback, drop, reason }: ProjectionWish,
  { id: replayId }: TracedReplay,
): Promise<void> {
  const details = { into, diff, switch: switched, rollback, drop, replayId };
  await recordAction(
    { url: session.databaseUrl('reporting', 'owner'), schema: session.schema('reporting') },
    { action: `replay of projection ${name}`, reason, details },
  );
}

async function perform(
  session: Session,
  projection: Projection,
  wish: ProjectionWish,
  { outcome, replay }: { readonly outcome: Outcome; readonly replay: TracedReplay },
): Promise<void> {
  const url = session.databaseUrl('reporting', isChange(wish) || wish.into ? 'owner' : 'app');
  const options = { target: { url, schema: session.schema('reporting') }, projection };
  if (wish.into !== undefined) {
    outcome.filled = await replayStep(
      replay,
      'fill',
      () => fill(session, projection),
      ({ events, rows }) => ({ 'sluice.replay.events': events, 'sluice.replay.rows': rows }),
    );
  }
  const shadow = outcome.filled?.tableSet ?? (await shadowOf(session, projection));
  if (wish.diff === true) {
    outcome.difference = await replayStep(
      replay,
      'compare',
      () => compare(session, projection, shadow),
      ({ differences }) => ({ 'sluice.replay.differences': differences }),
    );
  }
  const differs = (outcome.difference?.differences ?? 0) > 0;
  session.throwIfInterrupted();
  if (wish.switch === true && !differs) {
    outcome.switched = await replayStep(replay, 'switch', () =>
      switchTableSet(options, shadow ?? 0),
    );
  }
  if (wish.rollback === true) outcome.rolledBack = await rollBackTableSet(options);
  if (wish.drop !== undefined) {
    outcome.dropped = droppedId(await tableSetsOf(session, projection), wish.drop);
    await dropTableSet(options, outcome.dropped);
  }
}

async function shadowOf(session: Session, projection: Projection): Promise<number | undefined> {
  const sets = await tableSetsOf(session, projection);
  return sets.findLast(({ state }) => state === 'following')?.id;
}

async function fill(session: Session, projection: Projection): Promise<Rebuilt> {
  const { settings } = session;
  const owner = serviceNamed(projection.owner);
  const meter = session.progress('events');
  try {
    const rebuilt = await fillTableSet({
      source: { ...eventSourceOf(settings, owner), schema: session.schema(owner) },
      target: {
        url: session.databaseUrl('reporting', 'owner'),
        schema: session.schema('reporting'),
        appRole: appRoleOf(settings, 'reporting'),
      },
      projection,
      signal: session.signal,
      onProgress: ({ events, eventsEstimated, eventsPerSecond, remainingMs }) => {
        meter.update({
          done: events,
          total: eventsEstimated,
          perSecond: eventsPerSecond,
          remainingMs,
        });
      },
    });
    meter.finish();
    return rebuilt;
  } catch (error) {
    meter.abandon();
    if (session.signal.aborted) {
      const message = 'Interrupted: what was filled is dropped again, and nothing has changed.';
      throw new CommandEnded(exitCodes.interrupted, message);
    }
    throw error;
  }
}

async function compare(
  session: Session,
  projection: Projection,
  shadow: number | undefined,
): Promise<Difference> {
  const live = (await tableSetsOf(session, projection)).find(({ state }) => state === 'live')?.id;
  if (live === undefined || shadow === undefined) {
    throw refused('There are no two table sets to compare.');
  }
  return compareTableSets({
    url: session.databaseUrl('reporting', 'app'),
    schema: session.schema('reporting'),
    projection,
    left: live,
    right: shadow,
    signal: session.signal,
  });
}

function textOf(outcome: Outcome, wish: ProjectionWish): string {
  const { filled, difference, switched, rolledBack, dropped } = outcome;
  return [
    ...(filled === undefined ? [] : [filledText(filled)]),
    ...(difference === undefined ? [] : [differenceText(difference)]),
    ...(wish.switch === true && switched === undefined ? ['Queries were not switched.'] : []),
    ...(switched === undefined
      ? []
      : [
          `Queries read tables ${switched.live} now; tables ${switched.previous} are kept and fed, ` +
            'for --rollback, until --drop.',
        ]),
    ...(rolledBack === undefined
      ? []
      : [`Queries read tables ${rolledBack.live} again; tables ${rolledBack.previous} are kept.`]),
    ...(dropped === undefined ? [] : [`Tables ${dropped} are dropped.`]),
  ].join('\n');
}

function filledText({ tableSet, events, rows, setAside, durationMs }: Rebuilt): string {
  const rate = wholeText(events / (Math.max(durationMs, 1) / 1_000));
  const aside = setAside === 0 ? '' : ` ${setAside} payments are parked: see "dead-letters list".`;
  return (
    `Tables ${tableSet} are filled: ${wholeText(rows)} rows of ${wholeText(events)} events in ` +
    `${durationText(durationMs)} (${rate} events/s).${aside} Reporting feeds them from now on.`
  );
}
