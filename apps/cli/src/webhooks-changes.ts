import {
  type NotificationFields,
  notificationTypes,
  type NotificationType,
  type NotificationWrapper,
} from '@sluice/contracts';
import {
  type AddSubscription,
  SECRET_OVERLAP_MS,
  type Subscription,
  type SubscriptionCommand,
  type SubscriptionRefusal,
  webhookSecretOf,
} from '@sluice/domain-webhooks';
import { random } from '@sluice/identifiers';
import { WebhookSecret } from '@sluice/secrets';
import { merchantAddress, merchantAddressSentences, OutboundHosts } from '@sluice/service';
import type { ReceiverTest } from '@sluice/webhooks';
import { readFileSync } from 'node:fs';
import type { Answer } from './answer.js';
import { exitCodes, failed, refused, usage } from './exit-codes.js';
import { type ExecuteFlag, operator } from './risk-session.js';
import { entityIdOf, RoutingSession } from './routing-session.js';
import type { Session } from './session.js';
import { WebhooksSession } from './webhooks-session.js';

/** The flags of `webhooks add`. */
export interface AddFlags extends ExecuteFlag {
  readonly node: string;
  readonly url: string;
  readonly types?: string;
  readonly fields: NotificationFields;
  readonly wrapper: NotificationWrapper;
  readonly secretFile?: string;
  /** Who is mailed about failures. */
  readonly email?: string;
}

/** The flags of `webhooks rotate`. */
export interface RotateFlags extends ExecuteFlag {
  readonly secretFile?: string;
  /** The one before is known to somebody else. */
  readonly atOnce?: true;
}

const ID_BYTES = 16;
const SECRET_BYTES = 32;
/** As in a seed file. */
const URL_CHARACTERS_MAX = 2_048;
/** What a dry run ends with. */
export const NOTHING_DONE = 'Nothing was done. Add --execute to do it.';
const SECRET_SHOWN =
  'Its secret, which is shown this once; whoever has it reads and writes notifications:';

const refusalSentences: Readonly<Record<SubscriptionRefusal, string>> = {
  unknown: 'there is no such subscription any more',
  noTypes: 'it would never be told anything',
  needsTest: 'its receiver has not answered a test: "webhooks test" makes one',
  rotationUnderWay:
    'two secrets are valid already, and a third would take away the one that its receiver may know: wait until the first one ends, or add --at-once',
  overlapTooLong: 'the secret before would be valid for too long',
};

/** `webhooks add`: a receiver for what happens at a node and below; dry run unless told. */
export async function addWebhook(session: Session, flags: AddFlags): Promise<Answer> {
  const { fields, wrapper } = flags;
  const url = addressOf(flags.url);
  const types = typesOf(flags.types);
  const [above] = await new RoutingSession(session).nodesFrom(entityIdOf(flags.node));
  if (above === undefined) throw failed(`There is no node ${flags.node} in the account tree.`);
  const { id: nodeId, name } = above.node;
  const { secret, isNew, text } = secretOf(flags.secretFile);
  const webhooks = new WebhooksSession(session);
  const address =
    flags.email === undefined ? undefined : await webhooks.mailableAddress(flags.email);
  const mailed = address === undefined ? '' : `; failures are mailed to ${address}`;
  const what = `${url}, told of ${types.join(', ')} at ${nodeId} (${name}) and below${mailed}`;
  if (flags.execute !== true) {
    const lines = [`There would be a subscription: ${what}.`, NOTHING_DONE];
    return { data: { executed: false, nodeId, url, types }, text: lines.join('\n') };
  }
  const terms = { nodeId, url, types, fields, wrapper };
  const subscriptionId = await addedSubscription(webhooks, secret, { ...terms, address });
  const shownSecret = isNew ? [SECRET_SHOWN, text] : [];
  session.say(`There is a subscription ${subscriptionId}: ${what}. Its receiver is called now …`);
  const test = await webhooks.tested(subscriptionId).catch((error: unknown) => error);
  const outcome = test instanceof Error ? test.message : testText(test as ReceiverTest);
  const isActive = !(test instanceof Error) && (test as ReceiverTest).outcome === 'acknowledged';
  const lines = [`Subscription ${subscriptionId}.`, ...shownSecret, outcome];
  const data = { executed: true, subscriptionId, nodeId, url, types, isActive };
  return {
    data: { ...data, ...(isNew && { secret: text }) },
    text: [...lines, ...(isActive ? [] : [tryAgain(subscriptionId)])].join('\n'),
  };
}

/** What a new subscription is. */
export interface NewTerms extends Pick<
  AddSubscription,
  'nodeId' | 'url' | 'types' | 'fields' | 'wrapper'
> {
  /** Who is mailed about failures. */
  readonly address?: string | undefined;
}

/** A new subscription, which is told nothing before its test; its id. */
export async function addedSubscription(
  webhooks: WebhooksSession,
  secret: WebhookSecret,
  { address, ...terms }: NewTerms,
): Promise<string> {
  const subscriptionId = newId();
  const sealedSecret = await (await webhooks.secrets()).seal(subscriptionId, secret);
  const alertEmails = address && (await (await webhooks.addresses()).seal(subscriptionId, address));
  await decided(webhooks, subscriptionId, (metadata) => ({
    ...{ type: 'AddSubscription', subscriptionId, ...terms, metadata },
    ...{ secretId: newId(), sealedSecret, isTrusted: false },
    ...(alertEmails !== undefined && { alertEmails }),
  }));
  return subscriptionId;
}

/** `webhooks remove`: nobody is told any more, and what waits is given up. */
export async function removeWebhook(
  session: Session,
  id: string,
  { execute }: ExecuteFlag,
): Promise<Answer> {
  return change(session, id, {
    ...{ execute, planned: 'would be removed, with what waits for it', done: 'is removed' },
    commandOf: (metadata) => ({ type: 'RemoveSubscription', metadata }),
  });
}

/** `webhooks pause`: what there is to be told waits. */
export async function pauseWebhook(
  session: Session,
  id: string,
  { execute }: ExecuteFlag,
): Promise<Answer> {
  return change(session, id, {
    ...{ execute, planned: 'would be paused', done: 'is paused: what is to be told waits' },
    commandOf: (metadata) => ({ type: 'PauseSubscription', metadata }),
  });
}

/** `webhooks resume`: what has waited is told within a minute. */
export async function resumeWebhook(
  session: Session,
  id: string,
  { execute }: ExecuteFlag,
): Promise<Answer> {
  return change(session, id, {
    ...{
      execute,
      planned: 'would go on',
      done: 'goes on: what has waited is told within a minute',
    },
    commandOf: (metadata) => ({ type: 'ResumeSubscription', metadata }),
  });
}

/** `webhooks rotate`: another secret, with the one before beside it for a day unless told. */
export async function rotateWebhook(
  session: Session,
  id: string,
  { execute, atOnce, secretFile }: RotateFlags,
): Promise<Answer> {
  const webhooks = new WebhooksSession(session);
  const subscription = await webhooks.find(id);
  const overlapMs = atOnce === true ? 0 : SECRET_OVERLAP_MS;
  const overlap = atOnce === true ? 'The one before ends now' : 'The one before is tried for a day';
  const { secret, isNew, text } = secretOf(secretFile);
  const what = nameOf(subscription);
  if (execute !== true) {
    const lines = [`${what} would have another secret. ${overlap}.`, NOTHING_DONE];
    return { data: { executed: false, subscriptionId: subscription.id }, text: lines.join('\n') };
  }
  const sealedSecret = await (await webhooks.secrets()).seal(subscription.id, secret);
  await decided(webhooks, subscription.id, (metadata) => ({
    ...{ type: 'RotateSecret', secretId: newId(), sealedSecret, overlapMs, metadata },
  }));
  const shownSecret = isNew ? [SECRET_SHOWN, text] : [];
  const lines = [`${what} has another secret. ${overlap}.`, ...shownSecret];
  return {
    data: { executed: true, subscriptionId: subscription.id, ...(isNew && { secret: text }) },
    text: lines.join('\n'),
  };
}

/** `webhooks test`: calls the receiver once; one that answers 2xx is active from then on. */
export async function testWebhook(session: Session, id: string): Promise<Answer> {
  const webhooks = new WebhooksSession(session);
  const subscription = await webhooks.find(id);
  const test = await webhooks.tested(subscription.id);
  const isAcknowledged = test.outcome === 'acknowledged';
  return {
    data: { subscriptionId: subscription.id, ...test },
    text: `${nameOf(subscription)}\n${testText(test)}`,
    ...(!isAcknowledged && { exitCode: exitCodes.failed }),
  };
}

interface Change {
  readonly execute: true | undefined;
  readonly planned: string;
  readonly done: string;
  readonly commandOf: (metadata: SubscriptionCommand['metadata']) => SubscriptionCommand;
}

async function change(
  session: Session,
  id: string,
  { execute, planned, done, commandOf }: Change,
): Promise<Answer> {
  const webhooks = new WebhooksSession(session);
  const subscription = await webhooks.find(id);
  const data = { executed: execute === true, subscriptionId: subscription.id };
  const what = nameOf(subscription);
  if (execute !== true) return { data, text: `${what} ${planned}.\n${NOTHING_DONE}` };
  await decided(webhooks, subscription.id, commandOf);
  return { data, text: `${what} ${done}.` };
}

/** Decides and records. @throws CommandEnded with the reason of a refusal */
export async function decided(
  webhooks: WebhooksSession,
  id: string,
  commandOf: (metadata: SubscriptionCommand['metadata']) => SubscriptionCommand,
): Promise<void> {
  const refusal = await webhooks.subscriptions.decide(id, operator(), commandOf);
  if (refusal !== undefined) {
    throw refused(`That cannot be: ${refusalSentences[refusal]}. Nothing was done.`);
  }
}

/** What a test has come to, in a sentence. */
export function testText({ outcome, statusCode, said }: ReceiverTest): string {
  switch (outcome) {
    case 'acknowledged':
      return `Its receiver has answered ${statusCode ?? ''}: it is active.`;
    case 'refused':
      return `Its receiver has answered ${statusCode ?? ''}, which is no 2xx.`;
    case 'timeout':
      return 'Its receiver has not answered within 30 seconds.';
    case 'connectionLost':
      return 'The connection to its receiver was lost before it answered.';
    case 'notReachable':
      return 'Its receiver cannot be reached: its name, port or certificate does not lead there.';
    case 'notAllowed':
      return `It is not called: ${said ?? 'its address is not allowed'}.`;
    case 'noSubscription':
      return 'It was removed meanwhile.';
    case 'notWanted':
    case 'lapsed':
    case null:
      return 'Nobody knows what came of the test.';
  }
}

function tryAgain(id: string): string {
  return `It is told nothing until a test is answered with 2xx: sluice webhooks test ${id}`;
}

/** A subscription, for people. */
export function nameOf({ id, url }: Subscription): string {
  return `Subscription ${id} (${url})`;
}

/** Whether it may be called is seen when it is: this is about how it is written. */
function addressOf(text: string): string {
  const rules = { outbound: new OutboundHosts('all'), mayBePlain: true };
  const url = merchantAddress(text, rules);
  if (typeof url === 'string') throw usage(`--url: ${merchantAddressSentences[url]}.`);
  if (text.includes('#')) throw usage('--url: what is behind a # is sent to nobody.');
  if (url.href.length > URL_CHARACTERS_MAX) {
    throw usage(`--url: it has more than ${URL_CHARACTERS_MAX} characters.`);
  }
  return url.href;
}

/** What is named, or all of them. @throws CommandEnded */
export function typesOf(text: string | undefined): readonly NotificationType[] {
  if (text === undefined) return notificationTypes;
  const words = new Set(text.split(',').map((word) => word.trim()));
  return [...words].map((word) => {
    const type = notificationTypes.find((each) => each === word);
    if (type !== undefined) return type;
    throw usage(`--types: "${word}" is none; there is ${notificationTypes.join(', ')}.`);
  });
}

/** A secret that somebody says, or a new one. */
export interface SaidSecret {
  readonly secret: WebhookSecret;
  /** It was made here, so it has to be shown. */
  readonly isNew: boolean;
  /** In clear. */
  readonly text: string;
}

/** From a file, because other users of the machine see what is typed; a new one without a file. */
export function secretOf(path: string | undefined): SaidSecret {
  if (path === undefined) {
    const text = random(SECRET_BYTES).toString('hex');
    return { secret: new WebhookSecret(text), isNew: true, text };
  }
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw failed(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`);
  }
  const secret = webhookSecretOf(text);
  if (secret === undefined) throw usage(`${path} has no secret: 64 hexadecimal digits.`);
  return { secret, isNew: false, text };
}

function newId(): string {
  return random(ID_BYTES).toString('hex');
}
