import type { HistoryOperation, HistoryRead, PaymentHistory } from './linearization.js';
import {
  type Meaning,
  meaningOf,
  type Observed,
  type ObservedPayment,
  type SentRequest,
} from './observations.js';

interface Told extends Observed {
  readonly meaning: Meaning;
}

/**
 * What was observed of a payment as operations and looks at them. The last look, after the end, says
 * how each operation ended; an operation that nobody was told of and that cannot be found was none.
 */
export function historyOf({ name, requests }: ObservedPayment): PaymentHistory {
  const happened = requests.filter((request) => fateOf(request) !== undefined);
  const indexes = new Map(happened.map((request, index) => [request, index]));
  const operations = happened.map((request) => operationOf(request, indexes));
  const reads = happened.flatMap((request, of) =>
    tellings(request).map((told): HistoryRead => ({
      of,
      saw: sawOf(told.meaning),
      ...timesOf(told),
    })),
  );
  return { name, operations, reads };
}

function operationOf(
  request: SentRequest,
  indexes: ReadonlyMap<SentRequest, number>,
): HistoryOperation {
  const { type, reference, on, minor, isFinal = false, captureLimit } = request;
  const fate = fateOf(request);
  const told = tellings(request);
  const ends = told.filter(({ meaning }) => meaning !== 'open' && meaning !== 'absent');
  const last = ends.at(-1)?.answer;
  const { fromMs } = request.attempts[0] ?? { fromMs: 0 };
  const answeredMinor = fate?.meaning === 'approved' ? last?.minor : undefined;
  const referenced = on === undefined ? undefined : indexes.get(on);
  return {
    name: reference,
    type,
    fate: fate === undefined || fate.meaning === 'absent' ? 'open' : fate.meaning,
    fromMs,
    begunByMs: earliest(told.filter(({ meaning }) => meaning !== 'absent')),
    toMs: earliest(ends),
    isFinal,
    ...(last === undefined ? {} : { code: last.code }),
    ...(minor === undefined ? {} : { minor }),
    ...(answeredMinor === undefined ? {} : { answeredMinor }),
    ...(captureLimit === undefined ? {} : { captureLimit }),
    ...(referenced === undefined ? {} : { on: referenced }),
  };
}

/** The last that was told; nothing where it is not there and nobody was told that it would be. */
function fateOf(request: SentRequest): Told | undefined {
  return tellings(request).findLast(({ meaning }) => meaning !== 'absent');
}

function tellings({ attempts, reads }: SentRequest): Told[] {
  const told = (each: Observed, isRead: boolean): Told[] => {
    const meaning = each.answer && meaningOf(each.answer, isRead);
    return meaning === undefined ? [] : [{ ...each, meaning }];
  };
  return [
    ...attempts.flatMap((each) => told(each, false)),
    ...reads.flatMap((each) => told(each, true)),
  ].sort((one, other) => one.toMs - other.toMs);
}

function sawOf(meaning: Meaning): HistoryRead['saw'] {
  return meaning === 'open' || meaning === 'approved' || meaning === 'absent' ? meaning : 'ended';
}

function timesOf({ fromMs, toMs }: Observed): { fromMs: number; toMs: number } {
  return { fromMs, toMs };
}

function earliest(told: readonly Told[]): number {
  return Math.min(Infinity, ...told.map(({ toMs }) => toMs));
}
