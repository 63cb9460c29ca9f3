import { randomUUID } from 'node:crypto';
import {
  createLogger,
  inRequest,
  inSpan,
  loadSettings,
  type Span,
  startSpan,
  startTracing,
  TracingSettings,
} from '@sluice/service';

/** A replay at work. */
export interface TracedReplay {
  /** `sluice.replay.id` of its spans; absent where nothing is traced. */
  readonly id: string | undefined;
}

/**
 * Runs a replay as a trace of its own, with `sluice.replay.id` on each of its spans: what was
 * replayed keeps the traces it had. Somebody asked for it, so it is recorded unless the sampler is
 * set otherwise. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing is traced.
 */
export async function tracedReplay<Result>(
  projection: string,
  environment: NodeJS.ProcessEnv,
  work: (replay: TracedReplay) => Promise<Result>,
): Promise<Result> {
  const settings = loadSettings(TracingSettings, {
    OTEL_TRACES_SAMPLER: 'always_on',
    ...environment,
  });
  const logger = createLogger({ service: 'sluice-cli', level: 'silent' });
  const tracing = await startTracing({ settings, service: 'sluice-cli', logger });
  if (tracing === undefined) return work({ id: undefined });
  const id = randomUUID();
  const span = startSpan(`replay ${projection}`, { isRoot: true });
  span.set({ 'sluice.replay.id': id, 'sluice.projection': projection });
  try {
    return await inRequest(span, {}, () => work({ id }));
  } catch (error) {
    span.failed(error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
    await tracing.close();
  }
}

/** One step of a replay; `count` says how much it was. */
export function replayStep<Result>(
  { id }: TracedReplay,
  name: string,
  work: () => Promise<Result>,
  count: (result: Result) => Parameters<Span['set']>[0] = () => ({}),
): Promise<Result> {
  return inSpan(name, {}, async (span) => {
    const result = await work();
    if (span.isRecording && id !== undefined) {
      span.set({ 'sluice.replay.id': id, ...count(result) });
    }
    return result;
  });
}
