import { isCallType, NO_SUBSCRIPTION, type Subscription } from '@sluice/domain-webhooks';
import {
  type DeliveryStanding,
  deliveryStandings,
  type LoggedAttempt,
  type LoggedDelivery,
  type ReceiverHealth,
} from '@sluice/webhooks';
import { isTransactionId } from '@sluice/identifiers';
import type { Answer } from './answer.js';
import { exitCodes, failed, refused, usage } from './exit-codes.js';
import type { ExecuteFlag } from './risk-session.js';
import type { Session } from './session.js';
import { instantText, shown, textTable } from './text-table.js';
import { mailSentence } from './webhooks-mails.js';
import { WebhooksSession } from './webhooks-session.js';

/** The flags of `webhooks show`, and of `webhooks calls`. */
export interface ShowWebhookFlags {
  readonly transaction?: string;
  readonly standing?: string;
}

/** The flags of `webhooks resend`. */
export interface ResendFlags extends ExecuteFlag {
  readonly failed?: string;
}

/** A table of more is not read by anybody. */
const LISTED_MAX = 50;
/** What is sent again at once; whoever has more asks again. */
const RESENT_MAX = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const ANSWER_CHARACTERS_SHOWN = 300;
const DELIVERY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOTHING_TOLD = 'It was told of nothing yet.';
const NOTHING_SUCH = 'There is nothing such.';
const NO_CALLS = 'No address of a request was to be called.';
const FAILED: readonly DeliveryStanding[] = ['overdue', 'discarded'];

/** `webhooks list`: every subscription, with how it stands. */
export async function listWebhooks(session: Session): Promise<Answer> {
  const all = await new WebhooksSession(session).all();
  const text = textTable(
    all,
    [
      { title: 'SUBSCRIPTION', cell: ({ id }) => id },
      { title: 'NODE', cell: ({ nodeId }) => nodeId },
      { title: 'STANDING', cell: standingText },
      { title: 'TYPES', cell: ({ types }) => types.join(', ') },
      { title: 'FIELDS', cell: ({ fields }) => fields },
      { title: 'WRAPPER', cell: ({ wrapper }) => wrapper },
      { title: 'MAILED', cell: ({ alertEmails }) => (alertEmails === '' ? '' : 'yes') },
      { title: 'URL', cell: ({ url }) => url },
    ],
    'Nobody is told of anything: "webhooks add" makes a subscription.',
  );
  return { data: all.map(publicData), text };
}

/** `webhooks show`: a subscription with its latest notifications, or one of these with its attempts. */
export async function showWebhook(
  session: Session,
  id: string,
  flags: ShowWebhookFlags,
): Promise<Answer> {
  const webhooks = new WebhooksSession(session);
  if (DELIVERY_ID.test(id)) return showDelivery(webhooks, id);
  const subscription = await webhooks.find(id);
  const deliveries = await latest(webhooks, subscription.id, flags);
  const lines = [
    `${subscription.url}, ${standingText(subscription)}; told of ${subscription.types.join(', ')} at ${subscription.nodeId} and below.`,
    ...(await mailSentence(webhooks, subscription)),
    ...deliveryLines(deliveries, isSelection(flags) ? NOTHING_SUCH : NOTHING_TOLD),
  ];
  return { data: { ...publicData(subscription), deliveries }, text: lines.join('\n') };
}

/** `webhooks calls`: the latest calls of addresses that stood in requests, for which there is no subscription. */
export async function showCalls(session: Session, flags: ShowWebhookFlags): Promise<Answer> {
  const calls = await latest(new WebhooksSession(session), NO_SUBSCRIPTION, flags);
  const lines = deliveryLines(calls, isSelection(flags) ? NOTHING_SUCH : NO_CALLS);
  return { data: calls, text: lines.join('\n') };
}

function isSelection({ transaction, standing }: ShowWebhookFlags): boolean {
  return transaction !== undefined || standing !== undefined;
}

function latest(
  { log }: WebhooksSession,
  subscriptionId: string,
  { transaction: transactionId, standing }: ShowWebhookFlags,
): Promise<readonly LoggedDelivery[]> {
  if (transactionId !== undefined && !isTransactionId(transactionId)) {
    throw usage(`"${transactionId}" is no id of a transaction: one has 32 hexadecimal digits.`);
  }
  return log.deliveries({
    ...{ subscriptionId, limit: LISTED_MAX },
    ...(transactionId !== undefined && { transactionId }),
    ...(standing !== undefined && { standings: [standingOf(standing)] }),
  });
}

function deliveryLines(deliveries: readonly LoggedDelivery[], none: string): readonly string[] {
  const isFull = deliveries.length === LISTED_MAX;
  return [deliveriesTable(deliveries, none), ...(isFull ? ['… and earlier ones.'] : [])];
}

async function showDelivery(webhooks: WebhooksSession, id: string): Promise<Answer> {
  const delivery = await webhooks.log.delivery(id);
  if (delivery === undefined) throw failed(`There is no notification ${id}, or no more.`);
  const attempts = await webhooks.log.attempts(id);
  const text = [deliveriesTable([delivery]), '', attemptsTable(attempts), ...saidBy(attempts)];
  return { data: { ...delivery, attempts }, text: text.join('\n') };
}

/** `webhooks resend`: once more, with the same id; of a subscription all that was given up. */
export async function resendWebhooks(
  session: Session,
  ids: readonly string[],
  flags: ResendFlags,
): Promise<Answer> {
  const webhooks = new WebhooksSession(session);
  const wanted = await wantedOf(webhooks, ids, flags);
  if (wanted.length === 0) return { data: { resent: [] }, text: 'There is nothing to send again.' };
  if (flags.execute !== true) {
    const text = `${deliveriesTable(wanted)}\nNothing was done. Add --execute to send them again.`;
    return { data: { executed: false, ids: wanted.map(({ id }) => id) }, text };
  }
  const lines: string[] = [];
  const resent: string[] = [];
  for (const { id } of wanted) {
    const result = await webhooks.log.resend(id, webhooks.clock);
    if (result === 'resent') resent.push(id);
    else lines.push(result === 'unknown' ? `${id} is not kept any more.` : `${id} is sent anyway.`);
  }
  const count = `${resent.length} of ${wanted.length} are sent again within seconds.`;
  return {
    data: { executed: true, resent },
    text: [...lines, count].join('\n'),
    ...(resent.length === 0 && { exitCode: exitCodes.refused }),
  };
}

async function wantedOf(
  webhooks: WebhooksSession,
  ids: readonly string[],
  { failed: subscriptionId }: ResendFlags,
): Promise<readonly LoggedDelivery[]> {
  if ((subscriptionId === undefined) === (ids.length === 0)) {
    throw usage('Name notifications, or --failed with a subscription, and not both.');
  }
  if (subscriptionId !== undefined) {
    const { id, standing } = await webhooks.find(subscriptionId);
    if (standing !== 'active') throw refused(`${id} is ${standing}: nothing would be sent.`);
    const found = { subscriptionId: id, standings: FAILED, limit: RESENT_MAX };
    // The oldest first, as they happened.
    return (await webhooks.log.deliveries(found)).toReversed();
  }
  const wanted: LoggedDelivery[] = [];
  for (const id of ids) {
    if (!DELIVERY_ID.test(id)) throw usage(`"${id}" is no id of a notification.`);
    const delivery = await webhooks.log.delivery(id);
    if (delivery === undefined) throw failed(`There is no notification ${id}, or no more.`);
    if (!isCallType(delivery.type)) await refuseUnlessActive(webhooks, delivery);
    wanted.push(delivery);
  }
  return wanted;
}

async function refuseUnlessActive(
  webhooks: WebhooksSession,
  { id, subscriptionId }: LoggedDelivery,
): Promise<void> {
  const { standing } = await webhooks.find(subscriptionId);
  if (standing === 'active') return;
  throw refused(`The subscription of ${id} is ${standing}: nothing would be sent.`);
}

/** `webhooks health`: how receivers have done within a day. */
export async function webhooksHealth(session: Session): Promise<Answer> {
  const webhooks = new WebhooksSession(session);
  const all = await webhooks.all();
  const ids = all.map(({ id }) => id);
  const found = await webhooks.log.health(ids, session.now() - DAY_MS);
  const rows = all.flatMap((subscription, at) => {
    const health = found[at];
    return health === undefined ? [] : [{ subscription, health }];
  });
  const text = textTable(
    rows,
    [
      { title: 'SUBSCRIPTION', cell: ({ subscription }) => subscription.id },
      { title: 'STANDING', cell: ({ subscription }) => standingText(subscription) },
      { title: 'CALLS (24 H)', cell: ({ health }) => String(health.attempts), alignRight: true },
      { title: 'ANSWERED', cell: ({ health }) => shareText(health), alignRight: true },
      { title: 'MEDIAN', cell: ({ health }) => durationText(health.medianMs), alignRight: true },
      { title: 'WAITING', cell: ({ health }) => String(health.waiting), alignRight: true },
      { title: 'OLDEST (UTC)', cell: ({ health }) => dateText(health.oldestWaitingAt) },
      { title: 'LAST FAILURE', cell: ({ health }) => failureText(health) },
      { title: 'URL', cell: ({ subscription }) => subscription.url },
    ],
    'Nobody is told of anything: "webhooks add" makes a subscription.',
  );
  const isWell = rows.every(({ subscription, health }) => {
    return subscription.standing === 'active' && health.waiting === 0;
  });
  return {
    data: rows.map(({ subscription, health }) => ({ ...publicData(subscription), ...health })),
    text,
    ...(!isWell && { exitCode: exitCodes.different }),
  };
}

function deliveriesTable(deliveries: readonly LoggedDelivery[], none = ''): string {
  return textTable(
    deliveries,
    [
      { title: 'NOTIFICATION', cell: ({ id }) => id },
      { title: 'HAPPENED (UTC)', cell: ({ happenedAt }) => dateText(happenedAt) },
      { title: 'TYPE', cell: ({ type }) => type },
      { title: 'TRANSACTION', cell: ({ transactionId }) => transactionId },
      { title: 'STANDING', cell: ({ standing }) => standing },
      { title: 'CALLS', cell: ({ attempts }) => String(attempts), alignRight: true },
      { title: 'LAST', cell: lastText },
    ],
    none,
  );
}

function attemptsTable(attempts: readonly LoggedAttempt[]): string {
  return textTable(
    attempts,
    [
      { title: 'BEGAN (UTC)', cell: ({ beganAt }) => dateText(beganAt) },
      { title: 'TOOK', cell: (each) => durationText(tookMs(each)), alignRight: true },
      { title: 'OUTCOME', cell: lastText },
    ],
    'Its receiver was not called yet.',
  );
}

/** What a receiver said is its own: nobody knows what is in it. */
function saidBy(attempts: readonly LoggedAttempt[]): readonly string[] {
  const { answer = null } = attempts.at(-1) ?? {};
  if (answer === null) return [];
  return ['', 'Its last answer began with:', shown(answer.slice(0, ANSWER_CHARACTERS_SHOWN))];
}

function tookMs({ beganAt, endedAt }: LoggedAttempt): number {
  return endedAt.getTime() - beganAt.getTime();
}

function lastText({ outcome, statusCode }: Pick<LoggedDelivery, 'outcome' | 'statusCode'>): string {
  return [outcome ?? '', statusCode === null ? '' : String(statusCode)].join(' ').trim();
}

function shareText({ attempts, acknowledged }: ReceiverHealth): string {
  return attempts === 0 ? '' : `${Math.floor((acknowledged * 100) / attempts)} %`;
}

function failureText({ lastFailure, lastStatusCode }: ReceiverHealth): string {
  return lastText({ outcome: lastFailure, statusCode: lastStatusCode });
}

function durationText(ms: number | null): string {
  return ms === null ? '' : `${Math.round(ms)} ms`;
}

function dateText(date: Date | null): string {
  return date === null ? '' : instantText(date.getTime());
}

function standingText({ standing, disabledBecause, awaitedUrl }: Subscription): string {
  const because = disabledBecause === 'gone' ? ' (answered 410)' : '';
  return `${standing}${because}${awaitedUrl === undefined ? '' : ' (a new address waits for its test)'}`;
}

function standingOf(text: string): DeliveryStanding {
  const standing = deliveryStandings.find((each) => each === text);
  if (standing !== undefined) return standing;
  throw usage(`--standing is one of ${deliveryStandings.join(', ')}.`);
}

/** Without its secrets, sealed as they are. */
function publicData(subscription: Subscription): object {
  const { id, nodeId, url, types, fields, wrapper, standing, disabledBecause } = subscription;
  const isMailed = subscription.alertEmails !== '';
  return { id, nodeId, url, types, fields, wrapper, standing, disabledBecause, isMailed };
}
