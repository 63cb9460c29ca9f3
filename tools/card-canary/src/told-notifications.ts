import type { NotificationReceiver } from '@sluice/testing';

/** What notifications are encrypted with; it is looked for like a secret. */
export const NOTIFICATION_SECRET = '7c1f9be2d0584a6e93b7f0c25ad861e4'.repeat(2);

/** A seed file whose channels tell this receiver everything, in both forms. */
export function seedWithReceiver(seed: string, receiver: NotificationReceiver): string {
  const { channels } = JSON.parse(seed) as { readonly channels: readonly object[] };
  const webhooks = (['none', 'JSON'] as const).map((wrapper) => receiver.seed(wrapper));
  return JSON.stringify({ channels: channels.map((channel) => ({ ...channel, webhooks })) });
}
