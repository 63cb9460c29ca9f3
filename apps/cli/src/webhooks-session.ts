import { mailAddressOf, type Subscription } from '@sluice/domain-webhooks';
import { EventStore } from '@sluice/event-store';
import { type EntityClock, FileKeyProvider, systemClock } from '@sluice/service';
import {
  askForTest,
  DeliveryLog,
  findTest,
  mailsGoTo,
  type ReceiverTest,
  SealedAddresses,
  SealedSecrets,
  Subscriptions,
} from '@sluice/webhooks';
import { setTimeout as delay } from 'node:timers/promises';
import { failed, refused, usage } from './exit-codes.js';
import { operator } from './risk-session.js';
import { entityClockOf } from './sandbox-clocks.js';
import type { Session } from './session.js';

/** A receiver has 30 s with each of two secrets, and a busy service begins a moment later. */
const TEST_WITHIN_MS = 70_000;
/** Then nobody is there to make it. */
const BEGUN_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 200;
const SUBSCRIPTION_ID = /^[0-9a-f]{32}$/;
/** An id may be shortened as long as one subscription alone begins so. */
const SHORT_ID = /^[0-9a-f]{4,32}$/;

/** Subscriptions and what they were told, as one command line works with them. */
export class WebhooksSession {
  readonly subscriptions: Subscriptions;
  readonly log: DeliveryLog;
  readonly clock: EntityClock;

  constructor(private readonly session: Session) {
    const pool = session.database('webhooks');
    const store = new EventStore(pool, { schema: session.schema('webhooks') });
    const machine = { ...systemClock, now: () => session.now() };
    this.clock = entityClockOf(session);
    this.subscriptions = new Subscriptions({ store, machine, clock: this.clock });
    this.log = new DeliveryLog(pool);
    session.closeLater(() => Promise.resolve(this.subscriptions.close()));
  }

  /** Those that were not removed, by node and address. */
  async all(): Promise<readonly Subscription[]> {
    const all = [...(await this.subscriptions.now()).values()];
    const nameOf = ({ nodeId, url }: Subscription): string => `${nodeId} ${url}`;
    return all
      .filter(({ standing }) => standing !== 'removed')
      .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  }

  /** One by its id, or by how that begins. @throws CommandEnded where there is none, or are several */
  async find(id: string): Promise<Subscription> {
    if (!SHORT_ID.test(id)) {
      throw usage(`"${id}" is no subscription: its id has 32 lowercase hexadecimal digits.`);
    }
    const found = (await this.all()).filter((each) => each.id.startsWith(id));
    const [subscription] = found;
    if (subscription === undefined) {
      throw failed(`There is no subscription ${id}; "webhooks list" shows those that there are.`);
    }
    if (found.length > 1 && !SUBSCRIPTION_ID.test(id)) {
      throw usage(`${found.length} subscriptions begin with ${id}: say more of it.`);
    }
    return subscription;
  }

  /** Ends one that this command line has added. */
  async remove(id: string): Promise<void> {
    await this.subscriptions.decide(id, operator(), (metadata) => ({
      ...{ type: 'RemoveSubscription', metadata },
    }));
  }

  /**
   * An address that mails are sent to, as it is kept.
   * @throws CommandEnded where it is none, or this installation sends no mails
   */
  async mailableAddress(text: string): Promise<string> {
    const address = mailAddressOf(text);
    if (address === undefined) {
      throw usage('--email is one address, such as ops@shop.example, without a name or quotes.');
    }
    if ((await this.mailsGoTo()) === undefined) {
      throw refused(
        'This installation sends no mails: webhooks needs WEBHOOKS_MAIL_RELAY and WEBHOOKS_MAIL_SENDER. Nothing was done.',
      );
    }
    return address;
  }

  /** Where mails go: a server, or a folder; undefined: this installation sends none. */
  mailsGoTo(): Promise<string | undefined> {
    return mailsGoTo(this.session.database('webhooks'));
  }

  /** Whether what is sealed can be opened here. */
  get hasKeys(): boolean {
    return this.session.settings.webhooksKeyFile !== undefined;
  }

  /** What secrets are sealed with. @throws CommandEnded where nobody said where the keys are */
  async secrets(): Promise<SealedSecrets> {
    return new SealedSecrets(await this.#openKeys(), systemClock);
  }

  /** What addresses for mails are sealed with. @throws CommandEnded, likewise */
  async addresses(): Promise<SealedAddresses> {
    return new SealedAddresses(await this.#openKeys(), systemClock);
  }

  async #openKeys(): Promise<FileKeyProvider> {
    const { webhooksKeyFile } = this.session.settings;
    if (webhooksKeyFile === undefined) {
      throw usage(
        'Secrets and addresses are kept sealed: set WEBHOOKS_KEY_FILE to the key file that webhooks has.',
      );
    }
    try {
      const keys = await FileKeyProvider.open(webhooksKeyFile);
      this.session.closeLater(() => Promise.resolve(keys.close()));
      return keys;
    } catch (error) {
      throw failed(`WEBHOOKS_KEY_FILE cannot be used: ${(error as Error).message}`);
    }
  }

  /** Has webhooks call the receiver once, and waits for what comes of it. @throws CommandEnded */
  async tested(id: string): Promise<ReceiverTest> {
    const { session } = this;
    const pool = session.database('webhooks');
    const testId = await askForTest(pool, id, session.now());
    const beganMs = performance.now();
    for (;;) {
      session.throwIfInterrupted();
      const test = await findTest(pool, testId);
      if (test !== undefined && test.endedAt !== null) return test;
      const waitedMs = performance.now() - beganMs;
      if ((test?.begunAt ?? null) === null && waitedMs > BEGUN_WITHIN_MS) {
        throw failed('Nobody calls the receiver: the service webhooks does not run. It will.');
      }
      if (waitedMs > TEST_WITHIN_MS) throw failed('The test did not end; ask for it again.');
      await delay(LOOK_EVERY_MS);
    }
  }
}
