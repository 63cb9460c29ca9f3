import type { AlertMatter } from './alert.js';
import {
  callText,
  counted,
  endOfMails,
  factLines,
  type MailText,
  receiverName,
  type ReceiverRecord,
  timeText,
  waitingText,
} from './mail-text.js';
import type { Subscription } from './subscription.js';

/** Of whom an alert is, with how its receiver did in the last day. */
export interface AlertedSubscription {
  readonly subscription: Pick<Subscription, 'id' | 'url' | 'nodeId' | 'types'>;
  readonly record: ReceiverRecord;
  /** Notifications that were given up since the last alert. */
  readonly givenUp: number;
}

/** Somebody has to look after a receiver. */
export function alertMail(matter: AlertMatter, alerted: AlertedSubscription): MailText {
  const { subscription } = alerted;
  const { id } = subscription;
  return mail(subjectOf(matter, alerted), [
    ...sentencesOf(matter, alerted),
    '',
    ...facts(matter, alerted),
    '',
    ...(matter === 'gone'
      ? ['Once the receiver is there again, switch it on:', `  sluice webhooks test ${id}`]
      : [
          'See what waits, and call the receiver once:',
          `  sluice webhooks show ${id} --standing waiting`,
          `  sluice webhooks test ${id}`,
        ]),
    ...(matter === 'failing' ? [] : ['Send again what was given up:', resendFailed(id)]),
    '',
    'There is one such mail a day at most, and one when all is well again.',
    ...endOfMails([id]),
  ]);
}

/** The end of what was alerted. */
export function wellAgainMail(alerted: AlertedSubscription): MailText {
  const { subscription, record } = alerted;
  const { id } = subscription;
  const receiver = receiverName(subscription);
  return mail(`Well again: ${receiver} takes notifications`, [
    `${receiver} takes notifications again.`,
    record.waiting === 0
      ? 'Nothing waits for it any more.'
      : `What waits is sent by itself: ${waitingText(record)}.`,
    '',
    ...factLines([['Subscription', id]]),
    '',
    'Send again what was given up, if anything was:',
    resendFailed(id),
    '',
    ...endOfMails([id]),
  ]);
}

function subjectOf(matter: AlertMatter, { subscription, givenUp }: AlertedSubscription): string {
  const receiver = receiverName(subscription);
  switch (matter) {
    case 'gone':
      return `Switched off: ${receiver} is told nothing any more`;
    case 'givenUp':
      return `Given up: ${counted(givenUp, 'notification')} to ${receiver}`;
    case 'failing':
      return `Failing: ${receiver} acknowledges no notifications`;
  }
}

function sentencesOf(
  matter: AlertMatter,
  { subscription, record, givenUp }: AlertedSubscription,
): readonly string[] {
  const receiver = receiverName(subscription);
  switch (matter) {
    case 'gone':
      return [
        `${receiver} has answered 410: it wants to be told nothing any more.`,
        'It is told nothing until it has answered a test, and what happens until then is not kept for it.',
      ];
    case 'givenUp':
      return [
        `${receiver} has not acknowledged ${counted(givenUp, 'notification')} in 30 days.`,
        `${givenUp === 1 ? 'It is' : 'They are'} not tried any more unless somebody asks for it.`,
      ];
    case 'failing':
      return [
        `${receiver} acknowledges no notifications, ${sinceText(record)}.`,
        'Nothing is lost: each is tried for 30 days, and what waits is sent once it answers 2xx.',
      ];
  }
}

function sinceText({ lastAcknowledgedAtMs }: ReceiverRecord): string {
  return lastAcknowledgedAtMs === undefined
    ? 'and did not in the last day'
    : `the last one was at ${timeText(lastAcknowledgedAtMs)}`;
}

function facts(
  matter: AlertMatter,
  { subscription, record }: AlertedSubscription,
): readonly string[] {
  const { id, nodeId, types } = subscription;
  const { lastFailure, calls, acknowledged } = record;
  return factLines([
    ['Subscription', id],
    ['Told of', `${types.join(', ')} at ${nodeId} and below`],
    ['Calls of a day', `${calls}, of which ${calls - acknowledged} failed`],
    ...(lastFailure === undefined ? [] : [['Last failure', callText(lastFailure)] as const]),
    // What waits for one that was switched off is being given up.
    ...(matter === 'gone' ? [] : [['Waiting', waitingText(record)] as const]),
  ]);
}

function resendFailed(id: string): string {
  return `  sluice webhooks resend --failed ${id} --execute`;
}

function mail(subject: string, lines: readonly string[]): MailText {
  return { subject, text: `${lines.join('\n')}\n` };
}
