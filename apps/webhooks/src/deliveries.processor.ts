import { type AttemptOutcome, isGone, isNotWanted } from '@sluice/domain-webhooks';
import { Alarm } from '@sluice/event-store';
import { QueryUnavailable } from '@sluice/messaging';
import { type Clock, type EntityClock, type Logger, Outage } from '@sluice/service';
import { setTimeout as delay } from 'node:timers/promises';
import { attemptEnd } from './attempt-records.js';
import type { Attempts, Sent } from './attempts.js';
import type { Call, Claim, Notice } from './beginnings.js';
import type { CalledAddresses } from './called-addresses.js';
import type { Claims } from './claims.js';
import type { Endings } from './endings.js';
import type { Notifications } from './notifications.js';
import type { ReceiverAnswer, ReceiverCalls } from './receiver-calls.js';
import type { Receivers } from './receivers.js';
import type { Subscriptions } from './subscriptions.js';
import type { WebhookMetrics } from './webhooks-metrics.js';

/** The parts it is made of. */
export interface DeliveriesProcessorParts {
  readonly claims: Pick<Claims, 'take' | 'takeOf' | 'expect'>;
  readonly notifications: Pick<Notifications, 'textOf'>;
  readonly addresses: Pick<CalledAddresses, 'urlOf'>;
  readonly attempts: Pick<Attempts, 'send'>;
  readonly calls: Pick<ReceiverCalls, 'call'>;
  readonly endings: Pick<Endings, 'record' | 'hasten' | 'close'>;
  readonly receivers: Receivers;
  readonly subscriptions: Pick<Subscriptions, 'decide'>;
  /** Of the machine. */
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'now'>;
  readonly logger: Logger;
  readonly metrics: Pick<WebhookMetrics, 'attempted' | 'firstTold'>;
  /** How often it looks for what another process has noted. */
  readonly lookEveryMs: number;
  /** See `ASK_AGAIN_MS`. */
  readonly askAgainMs?: number;
}

/** While payments does not answer, nobody can be told anything: it is asked again so often. */
const ASK_AGAIN_MS = 1_000;
/** Together with both secrets tried it takes less than an attempt may last (`ATTEMPT_LAPSES_AFTER_MS`). */
const QUESTIONS_MAX = 10;
/** Places that become free within this are filled together: each look is a transaction. */
const GATHER_MS = 4;
/** Whoever ends waits so long for receivers that are about to answer. */
const ENDS_WITHIN_MS = 2_000;
/** Who changes a subscription because of what its receiver answers. */
const RECEIVER = 'receiver';

/** Tells receivers what is due, many at a time. */
export class DeliveriesProcessor {
  readonly #alarm = new Alarm();
  /** Whose each attempt is. */
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #looking: Outage;
  readonly #asking: Outage;
  #running: Promise<void> | undefined;
  #isClosed = false;
  #heldOffUntilMs = 0;

  constructor(private readonly parts: DeliveriesProcessorParts) {
    const { machine, logger } = parts;
    this.#looking = new Outage(machine, logger, {
      begins: 'Notifications that are due cannot be read.',
      goesOn: 'Notifications that are due cannot be read, still.',
      ends: 'Notifications that are due are read again.',
    });
    this.#asking = new Outage(machine, logger, {
      begins: 'What is to be told cannot be put together.',
      goesOn: 'What is to be told cannot be put together, still.',
      ends: 'What is to be told is put together again.',
    });
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Something may be due. */
  wake(): void {
    this.parts.claims.expect();
    this.#alarm.ring(0);
  }

  /** Begins nothing new; what does not end in time is told again by whoever finds it later. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.wake();
    await this.#running;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ENDS_WITHIN_MS);
    const aborted = new Promise<void>((resolve) =>
      late.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    await Promise.race([Promise.all(this.#underWay.keys()), aborted]);
    clearTimeout(timer);
    this.parts.endings.close();
  }

  /** Begins what is due, as far as there are places; resolves when all that is under way has ended. */
  async look(): Promise<void> {
    this.parts.claims.expect();
    while ((await this.#begin()) === 0);
    await Promise.all(this.#underWay.keys());
  }

  /**
   * Tells all that is due of an entity by its clock, and waits until it has ended; says how many attempts that
   * were.
   * @param untilMs by the monotonic clock: from then on nothing more is begun
   */
  async lookOf(entityId: string, untilMs: number): Promise<number> {
    const { claims, machine } = this.parts;
    let told = 0;
    for (;;) {
      const isOver = machine.monotonicMs() >= untilMs;
      const claimed = isOver ? [] : await claims.takeOf(entityId);
      told += claimed.length;
      this.#beginAll(claimed);
      const underWay = [...this.#underWay].flatMap(([attempt, of]) =>
        of === entityId ? [attempt] : [],
      );
      if (underWay.length === 0) return told;
      await Promise.race(underWay);
    }
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) await this.#alarm.pause(await this.#pauseMs());
  }

  /** How long nobody has to look again. */
  async #pauseMs(): Promise<number> {
    const { machine, lookEveryMs } = this.parts;
    const heldOffMs = this.#heldOffUntilMs - machine.monotonicMs();
    if (heldOffMs > 0) return heldOffMs;
    try {
      const againInMs = await this.#begin();
      this.#looking.over();
      return againInMs;
    } catch (error) {
      this.#looking.failed(error);
      return lookEveryMs;
    }
  }

  /** @returns after how long it has to be looked again */
  async #begin(): Promise<number> {
    const { claims, againInMs } = await this.parts.claims.take();
    this.#beginAll(claims);
    return againInMs;
  }

  #beginAll(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const attempt = this.#attempt(claim).finally(() => this.#underWay.delete(attempt));
      this.#underWay.set(attempt, claim.told.source.entityId);
    }
  }

  /** Never rejects. What is not recorded as ended lapses, and is tried again. */
  async #attempt(claim: Claim): Promise<void> {
    const { receivers, logger } = this.parts;
    const { attemptId, deliveryId } = claim;
    try {
      const sent = await this.#called(claim);
      if (sent !== undefined) await this.#end(claim, sent);
    } catch (error) {
      logger.error({ err: error, deliveryId }, 'A notification was not told as it should be.');
    } finally {
      receivers.end(attemptId);
      this.#alarm.ring(GATHER_MS);
    }
  }

  async #called(claim: Claim): Promise<Made | undefined> {
    try {
      return await this.#send(claim);
    } finally {
      const { receivers, machine } = this.parts;
      receivers.answered(claim.attemptId, machine.monotonicMs());
      this.#alarm.ring(GATHER_MS);
    }
  }

  /** Undefined where what is to be told is not known now. */
  #send(claim: Claim): Promise<Made | undefined> {
    const { told } = claim;
    return told.subscription === undefined ? this.#call(claim, told) : this.#notify(claim, told);
  }

  async #notify(claim: Claim, { subscription, source }: Notice): Promise<Sent | undefined> {
    const { notifications, attempts } = this.parts;
    const known = await this.#asked(() => notifications.textOf(source, subscription.fields));
    if (known === undefined) return undefined;
    this.#noteSent(claim);
    const { deliveryId } = claim;
    const text = known.answer;
    return attempts.send({ subscription, url: subscription.url, deliveryId, text });
  }

  async #call(claim: Claim, { source }: Call): Promise<ReceiverAnswer | undefined> {
    const { addresses, calls } = this.parts;
    const known = await this.#asked(() => addresses.urlOf(source));
    if (known === undefined) return undefined;
    const url = known.answer;
    if (url === undefined) return { outcome: { kind: 'notSent', reason: 'notWanted' } };
    this.#noteSent(claim);
    return calls.call({ url, headers: {} });
  }

  #noteSent({ attemptId, failures, told }: Claim): void {
    const { receivers, machine, clock, metrics } = this.parts;
    receivers.sent(attemptId, machine.monotonicMs());
    const { entityId, happenedAtMs } = told.source;
    if (failures === 0) metrics.firstTold(clock.now(entityId) - happenedAtMs);
  }

  /** Asks again for a while: a service that begins again is there within seconds. */
  async #asked<Answer>(
    ask: () => Promise<Answer>,
  ): Promise<{ readonly answer: Answer } | undefined> {
    const { machine, askAgainMs = ASK_AGAIN_MS } = this.parts;
    for (let questions = 1; !this.#isClosed; questions += 1) {
      try {
        const answer = await ask();
        this.#asking.over();
        return { answer };
      } catch (error) {
        this.#asking.failed(error);
        if (!(error instanceof QueryUnavailable) || questions === QUESTIONS_MAX) break;
        this.#heldOffUntilMs = machine.monotonicMs() + askAgainMs;
      }
      await delay(askAgainMs);
    }
    return undefined;
  }

  async #end(claim: Claim, { outcome, said, secretId }: Made): Promise<void> {
    const { claims, endings, receivers, clock, metrics } = this.parts;
    const { attemptId, receiver, breaker, told } = claim;
    const end = attemptEnd(outcome);
    if (end !== 'notWanted') metrics.attempted(end);
    const ending = { claim, outcome, ...(said !== undefined && { said }) };
    if (await endings.record(ending)) claims.expect(receiver);
    const nowMs = clock.now(told.source.entityId);
    const isThereAgain =
      isCalled(outcome) && receivers.learn(breaker, { attemptId, outcome }, nowMs);
    if (isThereAgain) {
      await endings.hasten(receiver);
      claims.expect();
    }
    if (told.subscription !== undefined) await this.#learn(told, outcome, secretId);
  }

  /** What an answer says of its subscription. */
  async #learn(
    { subscription }: Notice,
    outcome: AttemptOutcome,
    secretId: string | undefined,
  ): Promise<void> {
    const { subscriptions } = this.parts;
    const { id, url, secret } = subscription;
    if (isGone(outcome)) {
      await subscriptions.decide(id, RECEIVER, (metadata) => ({
        ...{ type: 'DisableSubscription', reason: 'gone', url, metadata },
      }));
    }
    const isNewSecret = secretId === secret.id && !secret.isConfirmed;
    if (isNewSecret && attemptEnd(outcome) === 'acknowledged') {
      await subscriptions.decide(id, RECEIVER, (metadata) => ({
        ...{ type: 'ConfirmSecret', secretId: secret.id, metadata },
      }));
    }
  }
}

/** What came of an attempt; a call that is not encrypted has no secret. */
type Made = ReceiverAnswer & Partial<Pick<Sent, 'secretId'>>;

/** Whom nobody wanted to call, or may call, that says nothing of who else is there. */
function isCalled(outcome: AttemptOutcome): boolean {
  const isNotAllowed = outcome.kind === 'notSent' && outcome.reason === 'notAllowed';
  return !isNotAllowed && !isNotWanted(outcome);
}
