/** How the simulator is told to misbehave, by request (D-48). */
export type Fault =
  /** Books at once, answers after this long. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Closes the connection; nothing is booked. */
  | { readonly kind: 'drop-before' }
  /** Books, then closes the connection without an answer. */
  | { readonly kind: 'drop-after' }
  /** Books, then answers HTTP 500: the case that must never be read as a decline. */
  | { readonly kind: 'http-500' }
  /** Books, then answers HTTP 200 with a web page. */
  | { readonly kind: 'garbage' }
  /** Books once and puts its answer on the connection twice. */
  | { readonly kind: 'twice' }
  /** Books and answers only after this long: until then an inquiry finds nothing. */
  | { readonly kind: 'late'; readonly delayMs: number };

/** No fault waits longer: ten minutes are past every window of the gateway's own defaults. */
const FAULT_DELAY_MAX_MS = 600_000;

const TIMED_FAULT = /^(delay|late):([0-9]{1,6})$/;
const PLAIN_FAULTS = ['drop-before', 'drop-after', 'http-500', 'garbage', 'twice'] as const;

/** What a fault may look like, for the sentence that refuses another. */
export const FAULT_FORMS = `delay:<ms>, late:<ms> (at most ${FAULT_DELAY_MAX_MS}), ${PLAIN_FAULTS.join(', ')}`;

/** The fault a request asks for; undefined when the text is none of D-48. */
export function parseFault(text: string): Fault | undefined {
  const plain = PLAIN_FAULTS.find((kind) => kind === text);
  if (plain) return { kind: plain };
  const [, kind, digits] = TIMED_FAULT.exec(text) ?? [];
  const delayMs = Number(digits);
  if (kind === undefined || delayMs > FAULT_DELAY_MAX_MS) return undefined;
  return { kind: kind as 'delay' | 'late', delayMs };
}
