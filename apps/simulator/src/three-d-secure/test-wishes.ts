import { type Status, statuses } from './networks.js';

/** How directory server and ACS are told to misbehave. */
export const authenticationFaults = [
  ...(['noAnswer', 'http500', 'notJson', 'erro', 'wrongTransactionId', 'wrongVersion'] as const),
  ...(['noCryptogram', 'hostileAcsUrl', 'hostileJson', 'rreqNever', 'rreqLate'] as const),
  ...(['rreqTwice', 'rreqBeforeCreq', 'rreqForged'] as const),
] as const;

/** One of them. */
export type AuthenticationFault = (typeof authenticationFaults)[number];

/** What a test wants, whatever card it has. */
export interface TestWishes {
  /** The number takes part, whichever it is. */
  readonly isEnrolled?: true;
  readonly flow?: 'challenge' | 'frictionless';
  /** What is answered; with `flow` challenge, what the challenge ends with. */
  readonly status?: Status;
  /** The answer is this late. */
  readonly delayMs?: number;
  readonly fault?: AuthenticationFault;
}

/** The id of the extension that has them. */
export const WISHES_ID = 'SLUICE-TEST';

/** No answer is later; ten minutes are past every window of a gateway. */
const DELAY_MAX_MS = 600_000;
const FLOWS = ['challenge', 'frictionless'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** One rule for each word that a test may say. */
const readers: Readonly<Record<string, (value: unknown) => TestWishes | undefined>> = {
  enrolled: (value) => (isYes(value) ? { isEnrolled: true } : isNo(value) ? {} : undefined),
  flow: (value) => found(FLOWS, value, (flow) => ({ flow })),
  status: (value) => found(statuses, value, (status) => ({ status })),
  delayMs: (value) => (isDelay(value) ? { delayMs: value } : undefined),
  fault: (value) => found(authenticationFaults, value, (fault) => ({ fault })),
};

/** Reads the data of the extension; the name of what is wrong otherwise. */
export function readWishes(data: unknown): TestWishes | string {
  if (typeof data !== 'object' || data === null) return 'data';
  let wishes: TestWishes = {};
  for (const [name, value] of Object.entries(data as Fields)) {
    const wish = Object.hasOwn(readers, name) ? readers[name]?.(value) : undefined;
    if (wish === undefined) return name;
    wishes = { ...wishes, ...wish };
  }
  return wishes;
}

/** Custom parameters are texts, and whoever passes them on may leave them so. */
function isYes(value: unknown): boolean {
  return value === true || value === 'true';
}

function isNo(value: unknown): boolean {
  return value === false || value === 'false';
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= DELAY_MAX_MS;
}

function found<Word extends string>(
  words: readonly Word[],
  value: unknown,
  wish: (word: Word) => TestWishes,
): TestWishes | undefined {
  const word = words.find((one) => one === value);
  return word === undefined ? undefined : wish(word);
}
