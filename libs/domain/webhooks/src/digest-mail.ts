import {
  type CallResult,
  callText,
  counted,
  endOfMails,
  type MailText,
  receiverName,
  type ReceiverRecord,
  timeText,
  waitingText,
} from './mail-text.js';
import type { Subscription } from './subscription.js';

/** So many failures are in a digest (wire contract 9); whoever has more has one reason for most of them. */
export const DIGEST_FAILURES_MAX = 100;

/** A notification that no receiver has acknowledged. */
export interface FailedNotification {
  readonly id: string;
  readonly type: string;
  readonly happenedAtMs: number;
  /** Calls that failed. */
  readonly failures: number;
  /** Undefined: it was not called. */
  readonly lastCall: CallResult | undefined;
  readonly standing: 'waiting' | 'overdue' | 'discarded';
}

/** What failed of one subscription. */
export interface SubscriptionFailures {
  readonly subscription: Pick<Subscription, 'id' | 'url'>;
  readonly record: ReceiverRecord;
  /** The oldest first, `DIGEST_FAILURES_MAX` of them at most. */
  readonly failed: readonly FailedNotification[];
  /** All of them. */
  readonly failedCount: number;
}

const STANDINGS: Readonly<Record<FailedNotification['standing'], string>> = {
  waiting: 'is tried again',
  overdue: 'given up after 30 days',
  discarded: 'given up with its subscription',
};

/**
 * What failed in a while, for one address; undefined where nothing did. What was acknowledged in the end, at whichever
 * try, is no failure: whoever gets a mail each day reads none.
 */
export function digestMail(
  all: readonly SubscriptionFailures[],
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): MailText | undefined {
  const some = all.filter(({ failedCount }) => failedCount > 0);
  if (some.length === 0) return undefined;
  const count = some.reduce((sum, { failedCount }) => sum + failedCount, 0);
  const receivers = [...new Set(some.map(({ subscription }) => receiverName(subscription)))];
  const [first = ''] = receivers;
  const where = receivers.length === 1 ? first : counted(receivers.length, 'receiver');
  const what = `${counted(count, 'notification')} not acknowledged`;
  const sections: string[] = [];
  let left = DIGEST_FAILURES_MAX;
  for (const each of some) {
    const shown = each.failed.slice(0, left);
    left -= shown.length;
    sections.push('', ...sectionOf(each, shown));
  }
  const [anyone] = some.flatMap(({ failed }) => failed);
  const lines = [
    `${what}, ${where}; between ${timeText(sinceMs)} and ${timeText(untilMs)}.`,
    ...sections,
    '',
    'Every call of a notification, and once more, such as of the first one:',
    `  sluice webhooks show ${anyone?.id ?? ''}`,
    `  sluice webhooks resend ${anyone?.id ?? ''} --execute`,
    '',
    ...endOfMails(some.map(({ subscription }) => subscription.id)),
  ];
  return { subject: `Daily digest: ${what}, ${where}`, text: `${lines.join('\n')}\n` };
}

function sectionOf(
  { subscription, record, failedCount }: SubscriptionFailures,
  shown: readonly FailedNotification[],
): readonly string[] {
  const { id } = subscription;
  const hasGivenUp = shown.some(({ standing }) => standing !== 'waiting');
  const calls = `${counted(record.calls, 'call')}, ${record.calls - record.acknowledged} failed`;
  return [
    `${receiverName(subscription)}, subscription ${id}`,
    `  ${calls}; waiting: ${waitingText(record)}`,
    ...shown.flatMap(notificationLines),
    ...(failedCount > shown.length ? [`  and ${failedCount - shown.length} more`] : []),
    `  All of them:  sluice webhooks show ${id}`,
    ...(hasGivenUp ? [`  Once more:    sluice webhooks resend --failed ${id} --execute`] : []),
  ];
}

function notificationLines(failed: FailedNotification): readonly string[] {
  const { id, type, happenedAtMs, failures, lastCall, standing } = failed;
  const calls =
    lastCall === undefined
      ? 'not called'
      : `${counted(failures, 'failed call')}, the last one: ${callText(lastCall)}`;
  return [`  ${id}  ${type} of ${timeText(happenedAtMs)}`, `    ${calls}; ${STANDINGS[standing]}`];
}
