import type { HttpAnswer } from './rule-sending.js';

const OK = 200;
const BAD_REQUEST = 400;
const SERVER_ERROR = 500;
const INVALID_PARAMETER = '200.300.404';

/** Well-formed, and of something that is not served: recorded all the same. */
const NOT_SERVED = '600.200.500';

/** What an answer says about the form of a request. */
export interface Verdict {
  readonly resultCode: string;
  /** The parameters that are named as wrong. */
  readonly named: readonly string[];
  /** Whether the answer has an id, so that it can be read again. */
  readonly hasId: boolean;
  /** Whether a text that is repeated ends within a character of two UTF-16 units. */
  readonly isCut: boolean;
}

/** In unicode mode the class matches a surrogate that stands alone, and no pair. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** The verdict in an answer; undefined when it has none. */
export function verdictOf({ body }: Pick<HttpAnswer, 'body'>): Verdict | undefined {
  try {
    const { result, id } = JSON.parse(body) as {
      id?: unknown;
      result?: { code?: unknown; parameterErrors?: { name: string; value?: string }[] };
    };
    if (typeof result?.code !== 'string') return undefined;
    const errors = result.parameterErrors ?? [];
    const named = errors.map(({ name }) => name);
    const isCut = errors.some(({ name, value }) => LONE_SURROGATE.test(name + (value ?? '')));
    return { resultCode: result.code, named, hasId: typeof id === 'string', isCut };
  } catch {
    return undefined;
  }
}

/**
 * What is wrong with an answer to a request of which the interface refuses these parameters, and no
 * others; undefined when nothing is. A decline, and a reference to nothing, take the form as right.
 */
export function wrongWith(refused: readonly string[], answer: HttpAnswer): string | undefined {
  if (answer.status < OK) return `no answer (${answer.body})`;
  if (answer.status >= SERVER_ERROR) return `HTTP ${answer.status}`;
  const verdict = verdictOf(answer);
  if (verdict === undefined) return `HTTP ${answer.status} without a result code`;
  if (verdict.isCut) return 'a character is cut in half';
  if (verdict.resultCode === NOT_SERVED && !verdict.hasId) return `${NOT_SERVED} without an id`;
  const isRefused = verdict.resultCode === INVALID_PARAMETER;
  if (refused.length === 0) {
    return isRefused ? `refused although nothing is wrong: ${verdict.named.join(', ')}` : undefined;
  }
  if (!isRefused) return `taken (${verdict.resultCode}) although ${refused.join(', ')} is wrong`;
  if (answer.status !== BAD_REQUEST) return `HTTP ${answer.status} for ${INVALID_PARAMETER}`;
  const isSame = [...refused].sort().join('\n') === [...verdict.named].sort().join('\n');
  return isSame ? undefined : `names ${verdict.named.join(', ')} and not ${refused.join(', ')}`;
}
