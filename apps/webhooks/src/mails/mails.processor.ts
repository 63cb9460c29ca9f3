import { isMailed } from '@sluice/domain-webhooks';
import { type Clock, type Logger, Outage } from '@sluice/service';
import type { Pool } from 'pg';
import type { Subscriptions } from '../subscriptions.js';
import type { MailMetrics } from './mail-metrics.js';
import { dropMail, endMail, type MailStanding, takeMail, type TakenMail } from './mail-outbox.js';
import type { MailResult, MailSender } from './mail-sender.js';
import type { MailWatch } from './mail-watch.js';
import type { SealedAddresses } from './sealed-addresses.js';

/** The parts it is made of. */
export interface MailsProcessorParts {
  readonly pool: Pool;
  /** Undefined: this installation sends no mails. */
  readonly sender: MailSender | undefined;
  /** Where they go, for people. */
  readonly goesTo: string | undefined;
  readonly watch: Pick<MailWatch, 'look'>;
  readonly addresses: Pick<SealedAddresses, 'open'>;
  readonly subscriptions: Pick<Subscriptions, 'now'>;
  readonly metrics: MailMetrics;
  /** Of the machine: people read mails. */
  readonly machine: Clock;
  readonly logger: Logger;
}

/** A person reads it, who does not wait for the second. */
const LOOK_EVERY_MS = 15_000;
/** What is left comes with the next look: in between it is looked who fails. */
const SENT_PER_LOOK_MAX = 100;
/** All words of an SMTP dialogue together; less than `MAIL_LAPSES_AFTER_MS`, so that no two send one. */
const SENT_WITHIN_MS = 60_000;
/** What is under way when the process ends has so long; then another one sends it again. */
const ENDS_WITHIN_MS = 2_000;
const MS_PER_SECOND = 1_000;

const BEGIN = `INSERT INTO mailing (goes_to, watched_at, digested_at)
  VALUES ($1, to_timestamp(0), to_timestamp($2))
  ON CONFLICT (is_only) DO UPDATE SET goes_to = excluded.goes_to`;
const GOES_TO = 'SELECT goes_to AS "goesTo" FROM mailing';

/** Where this installation sends mails to; undefined: it sends none. */
export async function mailsGoTo(pool: Pick<Pool, 'query'>): Promise<string | undefined> {
  const { rows } = await pool.query<{ readonly goesTo: string | null }>(GOES_TO);
  return rows[0]?.goesTo ?? undefined;
}

/** Mails whoever looks after receivers that fail. */
export class MailsProcessor {
  readonly #looking: Outage;
  readonly #sending: Outage;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(private readonly parts: MailsProcessorParts) {
    const { machine, logger } = parts;
    this.#looking = new Outage(machine, logger, {
      begins: 'It cannot be looked whether there is anything to mail.',
      goesOn: 'It cannot be looked whether there is anything to mail, still.',
      ends: 'It is looked again whether there is anything to mail.',
    });
    this.#sending = new Outage(machine, logger, {
      begins: 'Mails cannot be sent.',
      goesOn: 'Mails cannot be sent, still.',
      ends: 'Mails are sent again.',
    });
  }

  /** Says where mails go, for whoever wants some; the first digest is of what happens from now on. */
  async begin(): Promise<void> {
    const { pool, goesTo = null, machine } = this.parts;
    await pool.query(BEGIN, [goesTo, machine.now() / MS_PER_SECOND]);
  }

  start(): void {
    const { sender, metrics, pool } = this.parts;
    metrics.watch(pool);
    if (sender === undefined) void this.#sayThatNobodyIsMailed();
    else this.#next(0);
  }

  /** Makes what there is to be mailed, and sends what is due, once. */
  async look(): Promise<void> {
    const { sender, watch, subscriptions, pool, machine } = this.parts;
    if (sender === undefined) return;
    await watch.look();
    for (let sent = 0; sent < SENT_PER_LOOK_MAX && !this.#isClosed; sent += 1) {
      const mail = await takeMail(pool, machine.now());
      if (mail === undefined) return;
      const subscription = (await subscriptions.now()).get(mail.subscriptionId);
      if (subscription === undefined || !isMailed(subscription)) await dropMail(pool, mail.id);
      // A relay that is away is away for the next one, too.
      else if ((await this.#send(sender, mail)) === 'failed') return;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const late = setTimeout(() => this.#end.abort(), ENDS_WITHIN_MS);
    await this.#current;
    clearTimeout(late);
  }

  #next(afterMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#current = this.#tried().finally(() => this.#next(LOOK_EVERY_MS));
    }, afterMs);
  }

  async #tried(): Promise<void> {
    try {
      await this.look();
      this.#looking.over();
    } catch (error) {
      this.#looking.failed(error);
    }
  }

  async #send(sender: MailSender, mail: TakenMail): Promise<MailStanding> {
    const { pool, metrics, machine, logger } = this.parts;
    const { id: mailId, subscriptionId } = mail;
    const result = await this.#result(sender, mail);
    // Nothing came of it, for the process ends: another one sends it once this try has lapsed.
    if (result.kind !== 'sent' && this.#end.signal.aborted) return 'failed';
    const standing = await endMail(pool, mail, { result, nowMs: machine.now() });
    metrics.tried(standing);
    if (result.kind === 'sent') {
      this.#sending.over();
      return standing;
    }
    const { trouble } = result;
    if (result.kind === 'failed') this.#sending.failed(new Error(trouble));
    if (standing === 'gaveUp') {
      logger.error({ mailId, subscriptionId, trouble }, 'A mail is not sent.');
    }
    return standing;
  }

  async #result(sender: MailSender, mail: TakenMail): Promise<MailResult> {
    const { addresses } = this.parts;
    const { id, subscriptionId, subject, text, madeAtMs } = mail;
    try {
      const address = await addresses.open(subscriptionId, mail.address);
      const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(SENT_WITHIN_MS)]);
      return await sender.send({ id, address, subject, text, madeAtMs }, signal);
    } catch (error) {
      return { kind: 'failed', trouble: (error as Error).name };
    }
  }

  /** An address that was accepted once is not forgotten without a word. */
  async #sayThatNobodyIsMailed(): Promise<void> {
    const { subscriptions, logger } = this.parts;
    try {
      const all = [...(await subscriptions.now()).values()];
      const mailed = all.filter(isMailed).length;
      if (mailed === 0) return;
      const text = 'Nobody is mailed about receivers that fail: WEBHOOKS_MAIL_RELAY is not set.';
      logger.warn({ subscriptions: mailed }, text);
    } catch (error) {
      this.#looking.failed(error);
    }
  }
}
