import type { Subscription } from '@sluice/domain-webhooks';
import type { Answer } from './answer.js';
import { usage } from './exit-codes.js';
import type { ExecuteFlag } from './risk-session.js';
import type { Session } from './session.js';
import { decided, nameOf, NOTHING_DONE } from './webhooks-changes.js';
import { WebhooksSession } from './webhooks-session.js';

/** The flags of `webhooks change`. */
export interface ChangeFlags extends ExecuteFlag {
  /** Who is mailed; false: nobody. */
  readonly email?: string | false;
}

/** `webhooks change`: who is mailed about a receiver that fails. */
export async function changeWebhook(
  session: Session,
  id: string,
  { email, execute }: ChangeFlags,
): Promise<Answer> {
  if (email === undefined)
    throw usage('Say what to change: --email and an address, or --no-email.');
  const webhooks = new WebhooksSession(session);
  const subscription = await webhooks.find(id);
  const { id: subscriptionId, alertEmails: before } = subscription;
  const address = email === false ? '' : await webhooks.mailableAddress(email);
  const data = { executed: execute === true, subscriptionId };
  const what = nameOf(subscription);
  const change = address === '' ? 'mails nobody about failures' : `mails failures to ${address}`;
  // The same address, sealed again, is another text: only who opens it sees that nothing changes.
  if (address === (await openedAddress(webhooks, subscription))) {
    return { data: { ...data, executed: false }, text: `${what} ${change} already.` };
  }
  if (execute !== true) return { data, text: `${what}, from then on, ${change}.\n${NOTHING_DONE}` };
  const alertEmails =
    address === '' ? '' : await (await webhooks.addresses()).seal(subscriptionId, address);
  if (alertEmails !== before) {
    await decided(webhooks, subscriptionId, (metadata) => ({
      ...{ type: 'ChangeSubscription', changes: { alertEmails }, isTrusted: false, metadata },
    }));
  }
  return { data, text: `${what} ${change}.` };
}

/** Who is mailed about failures of a subscription, and by which way, in a sentence; none: nobody. */
export async function mailSentence(
  webhooks: WebhooksSession,
  subscription: Subscription,
): Promise<readonly string[]> {
  if (subscription.alertEmails === '') return [];
  const address = webhooks.hasKeys
    ? await openedAddress(webhooks, subscription)
    : 'an address that is kept sealed';
  const goTo = await webhooks.mailsGoTo();
  const way = goTo === undefined ? 'but this installation sends no mails' : `by ${goTo}`;
  return [`Failures are mailed to ${address}, ${way}.`];
}

async function openedAddress(
  webhooks: WebhooksSession,
  { id, alertEmails }: Subscription,
): Promise<string> {
  return alertEmails === '' ? '' : (await webhooks.addresses()).open(id, alertEmails);
}
