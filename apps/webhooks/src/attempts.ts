import {
  IV_BYTES,
  mayKnowOtherSecret,
  sealed,
  secretsToTry,
  signatureHeaders,
  type Subscription,
} from '@sluice/domain-webhooks';
import { random } from '@sluice/identifiers';
import type { WebhookSecret } from '@sluice/secrets';
import type { Clock, EntityClock } from '@sluice/service';
import type { ReceiverAnswer, ReceiverCalls } from './receiver-calls.js';
import type { SealedSecrets } from './sealed-secrets.js';

/** The parts they are made of. */
export interface AttemptsParts {
  readonly calls: Pick<ReceiverCalls, 'call'>;
  readonly secrets: Pick<SealedSecrets, 'open'>;
  /** Of the machine: receivers compare when it was signed with their own clocks. */
  readonly machine: Pick<Clock, 'now'>;
  readonly clock: Pick<EntityClock, 'now'>;
}

/** What is sent to whom. */
export interface Sending {
  readonly subscription: Subscription;
  /** The address: that of the subscription, or the one that it is to get. */
  readonly url: string;
  /** The same however often it is sent (R-WH-02). */
  readonly deliveryId: string;
  readonly text: string;
}

/** What came of it, and by which secret it was encrypted in the end. */
export interface Sent extends ReceiverAnswer {
  readonly secretId: string;
}

/** Encrypts a text and sends it, with both secrets while two are valid (R-WH-08). */
export class Attempts {
  constructor(private readonly parts: AttemptsParts) {}

  /**
   * Undefined where no byte of it was sent: too much else is under way to its receiver.
   * @throws EnvelopeBroken, WrappingKeyRetired where the secret cannot be opened
   */
  async send({ subscription, url, deliveryId, text }: Sending): Promise<Sent | undefined> {
    const { calls, secrets, machine, clock } = this.parts;
    const { id, wrapper, nodeId } = subscription;
    const sentAtMs = machine.now();
    const tried: { readonly id: string; readonly secret: WebhookSecret }[] = [];
    for (const { id: secretId, sealed: text } of secretsToTry(subscription, clock.now(nodeId))) {
      tried.push({ id: secretId, secret: await secrets.open(id, text) });
    }
    const all = tried.map(({ secret }) => secret);
    let sent: Sent | undefined;
    for (const { id: secretId, secret } of tried) {
      const { headers, body } = sealed(text, { secret, iv: random(IV_BYTES), wrapper });
      const signed = signatureHeaders({ deliveryId, sentAtMs, body, secrets: all });
      const answer = await calls.call({ url, headers: { ...headers, ...signed }, body });
      if (answer === undefined) return sent;
      sent = { ...answer, secretId };
      if (!mayKnowOtherSecret(answer.outcome)) break;
    }
    if (sent === undefined) throw new Error('A subscription has no secret.');
    return sent;
  }
}
