import { setTimeout as pause } from 'node:timers/promises';
import { ClusterUnusable } from './cluster-unusable.js';
import { ProgramFailed, type Programs, type RunOptions } from './programs.js';

/** A control plane that starts again is away for some seconds; one that stays away is a finding. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
/** What the cluster has said of the question, or kubectl of a time that is over: it stays as it is. */
const IS_ANSWER =
  /Error from server \((?:BadRequest|Forbidden|Invalid|NotFound)\)|timed out waiting for the condition/;

/** How something is tried again. */
export interface Patience {
  /** Told of every failure that is not the last. */
  readonly say: (line: string) => void;
  /** Aborted when nobody wants to wait any longer. */
  readonly signal?: AbortSignal;
  /** Before each try but the first. */
  readonly pausesMs?: readonly number[];
}

/** Does what changes nothing, again and again while the cluster is away; the last failure is thrown. */
export async function patiently<Answer>(
  { say, signal, pausesMs = PAUSES_MS }: Patience,
  work: () => Promise<Answer>,
): Promise<Answer> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted === true || !isAway(error)) throw error;
      say(`${error.message.replaceAll('\n', ' ')}; again in ${pauseMs / 1_000} s.`);
      // One who has lost patience is told of the failure, by one more try.
      await pause(pauseMs, undefined, signal && { signal }).catch(() => undefined);
    }
  }
  return work();
}

function isAway(error: unknown): error is ProgramFailed | ClusterUnusable {
  if (error instanceof ProgramFailed) return !IS_ANSWER.test(error.lastLines);
  return error instanceof ClusterUnusable;
}

/** Programs that are run again when they fail, if they change nothing. */
export class PatientPrograms implements Programs {
  constructor(
    private readonly programs: Programs,
    private readonly patience: Patience,
  ) {}

  run(file: string, words: readonly string[], options: RunOptions = {}): Promise<string> {
    const once = (): Promise<string> => this.programs.run(file, words, options);
    return options.changesNothing === true ? patiently(this.patience, once) : once();
  }
}
