/** A question takes milliseconds; a Prometheus that takes longer is of no use for a dashboard. */
const WITHIN_MS = 10_000;

/** One series of an answer: its labels and its values by time in seconds. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [seconds: number, value: number])[];
}

/** What is asked over a time. */
export interface RangeQuery {
  readonly expr: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly stepSeconds: number;
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly values: readonly (readonly [number, string])[];
    }[];
  };
}

/** Prometheus refused a query, or there is none; the message says which. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
}

/** Asks a Prometheus for values over a time. Throws QueryFailed. */
export async function queryRange(url: string, query: RangeQuery): Promise<readonly Series[]> {
  const body = new URLSearchParams({
    query: query.expr,
    start: String(query.fromSeconds),
    end: String(query.toSeconds),
    step: String(query.stepSeconds),
  });
  let answer: Answer;
  try {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const response = await fetch(new URL('/api/v1/query_range', url), {
      ...{ method: 'POST', body, signal },
    });
    answer = (await response.json()) as Answer;
  } catch (error) {
    throw new QueryFailed(`no answer of Prometheus at ${url}`, { cause: error });
  }
  if (answer.status !== 'success' || answer.data === undefined) {
    throw new QueryFailed(answer.error ?? 'refused');
  }
  return answer.data.result.map(({ metric, values }) => ({
    labels: metric,
    points: values.map(([seconds, value]) => [seconds, Number(value)] as const),
  }));
}
