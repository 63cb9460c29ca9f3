import { receiverOf } from './receiver-breaker.js';
import type { Subscription } from './subscription.js';

/**
 * A mail, as it is read. What is in it goes over other people's servers: ids, times, counts, and of an address the
 * host alone, whose path and query may be a secret. No word of a receiver's answer, and nothing of a payment.
 */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** What came of a call; with the status that was answered, where one was. */
export interface CallResult {
  readonly outcome:
    | ('acknowledged' | 'refused' | 'timeout' | 'connectionLost')
    | ('notReachable' | 'notAllowed' | 'notWanted' | 'lapsed');
  readonly statusCode: number | null;
}

/** How a receiver has done in a while. */
export interface ReceiverRecord {
  /** Notifications that it has not acknowledged yet. */
  readonly waiting: number;
  readonly oldestWaitingAtMs: number | undefined;
  readonly calls: number;
  readonly acknowledged: number;
  readonly lastAcknowledgedAtMs: number | undefined;
  readonly lastFailure: CallResult | undefined;
}

const ISO_MINUTES = 'YYYY-MM-DDTHH:MM'.length;

/** As people read it; to the minute. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, ISO_MINUTES).replace('T', ' ')} UTC`;
}

/** Who is called, as a mail may say it. */
export function receiverName({ url }: Pick<Subscription, 'url'>): string {
  return receiverOf(new URL(url));
}

/** In a few words. */
export function callText({ outcome, statusCode }: CallResult): string {
  switch (outcome) {
    case 'acknowledged':
    case 'refused':
      return `answered ${statusCode ?? 'something else than 2xx'}`;
    case 'timeout':
      return 'no answer in 30 seconds';
    case 'connectionLost':
      return 'connection lost';
    case 'notReachable':
      return 'not reachable';
    case 'notAllowed':
      return 'address not allowed';
    case 'notWanted':
      return 'nothing left to tell';
    case 'lapsed':
      return 'unknown';
  }
}

/** One of them, or so many. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Names and what they are, under one another. */
export function factLines(facts: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `  ${`${name}:`.padEnd(width + 1)}  ${value}`);
}

/** What waits, in a sentence's end. */
export function waitingText({ waiting, oldestWaitingAtMs }: ReceiverRecord): string {
  const since =
    oldestWaitingAtMs === undefined ? '' : `, the oldest since ${timeText(oldestWaitingAtMs)}`;
  return `${counted(waiting, 'notification')}${since}`;
}

/** How somebody gets no more of them. */
export function endOfMails(subscriptionIds: readonly string[]): readonly string[] {
  const commands = subscriptionIds.map(
    (id) => `  sluice webhooks change ${id} --no-email --execute`,
  );
  return ['No more mails:', ...commands];
}
