import { counted, type CrowdReport, type SeededRandom, sendCrowd } from '@sluice/testing';
import { hostileRequests } from './generate.js';
import type { RequestContext } from './request-text.js';
import { wrongWith } from './verdict.js';

/** What to run. */
export interface HostileRun {
  readonly url: string;
  readonly context: RequestContext;
  readonly random: SeededRandom;
  readonly requests: number;
}

/** What came of it. */
export interface HostileReport extends CrowdReport {
  /** Requests by class. */
  readonly kinds: ReadonlyMap<string, number>;
}

/** Sends generated requests in a crowd and judges every answer. */
export async function runHostileRequests(run: HostileRun): Promise<HostileReport> {
  const kinds = new Map<string, number>();
  const report = await sendCrowd({
    ...run,
    source: hostileRequests(run.context, run.random),
    wire: (request) => request,
    about: ({ kind }) => kind,
    judge: (request, exchange) => {
      counted(kinds, request.kind);
      return wrongWith(request, exchange);
    },
  });
  return { ...report, kinds };
}
