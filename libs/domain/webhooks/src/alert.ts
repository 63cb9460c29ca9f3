/**
 * What an alert is about, the worst first. `gone`: its receiver has answered 410, and nobody is told any more.
 * `givenUp`: something was not acknowledged in 30 days. `failing`: the receiver acknowledges nothing.
 */
export const alertMatters = ['gone', 'givenUp', 'failing'] as const;
/** One of them. */
export type AlertMatter = (typeof alertMatters)[number];

/** A receiver that begins again, or is brought up to date, is there again by then; nobody is called for that. */
export const FAILING_FOR_MS = 15 * 60_000;
/** A subscription has one alert in so long at most, and one mail when it is well again. */
export const ALERT_EVERY_MS = 24 * 60 * 60_000;

/** How the receiver of a subscription does. */
export interface ReceiverCondition {
  /** It was switched off because its receiver has answered 410. */
  readonly isGone: boolean;
  /** Since the last alert some notification was given up after 30 days. */
  readonly hasGivenUp: boolean;
  /** It has acknowledged nothing for `FAILING_FOR_MS` and longer, and something waits for it. */
  readonly isFailing: boolean;
  /** It is active, or paused. */
  readonly isOn: boolean;
  /** Its latest call was acknowledged. */
  readonly isAnswering: boolean;
}

/** The last alert of a subscription. */
export interface LastAlert {
  readonly matter: AlertMatter;
  readonly alertedAtMs: number;
  /** It is well again, as was said, or there was nothing that ends. */
  readonly isOver: boolean;
}

/** What is mailed now about a subscription. */
export type AlertDecision =
  { readonly kind: 'alert'; readonly matter: AlertMatter } | { readonly kind: 'wellAgain' };

/** Undefined: nothing. */
export function alertDecision(
  last: LastAlert | undefined,
  condition: ReceiverCondition,
  nowMs: number,
): AlertDecision | undefined {
  if (last !== undefined && !last.isOver && isWellAgain(last.matter, condition)) {
    return { kind: 'wellAgain' };
  }
  const matter = matterOf(condition);
  if (matter === undefined) return undefined;
  if (last !== undefined && nowMs < last.alertedAtMs + ALERT_EVERY_MS) return undefined;
  // It stays switched off until somebody does something: who was told so once knows.
  if (matter === 'gone' && last?.matter === 'gone' && !last.isOver) return undefined;
  return { kind: 'alert', matter };
}

/** What is given up is not taken back: where the receiver answers, there is nothing that gets well. */
export function isOverAtOnce(matter: AlertMatter, condition: ReceiverCondition): boolean {
  return matter === 'givenUp' && !condition.isFailing;
}

function matterOf(condition: ReceiverCondition): AlertMatter | undefined {
  if (condition.isGone) return 'gone';
  if (condition.hasGivenUp) return 'givenUp';
  return condition.isFailing ? 'failing' : undefined;
}

function isWellAgain(matter: AlertMatter, { isOn, isAnswering }: ReceiverCondition): boolean {
  return matter === 'gone' ? isOn : isOn && isAnswering;
}

const DAY_MS = 24 * 60 * 60_000;
/** UTC: before the working day begins in Europe, and at the end of one in America. */
const DIGEST_HOUR_MS = 6 * 60 * 60_000;

/** The latest time, at `nowMs` or before it, at which a digest is due: once a day. */
export function digestDueAtMs(nowMs: number): number {
  return Math.floor((nowMs - DIGEST_HOUR_MS) / DAY_MS) * DAY_MS + DIGEST_HOUR_MS;
}
