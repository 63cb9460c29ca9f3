import {
  cardTelling,
  type JposHost,
  seedOf,
  type ServiceProcess,
  startJposHost,
  type TestKafka,
  type ToldHost,
} from '@sluice/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Services } from './services-fixture.js';

const ACCOUNT = {
  entityId: '8ac7a4c8700000000000000000008583',
  accessToken: 'iso8583-access-token-0123456789abcdef',
};

/** As its acquirer knows the installation. The host has no TLS, and without a word payments want it. */
const ACQUIRER = {
  ...{ PAYMENTS_ISO8583_HOST: '127.0.0.1', PAYMENTS_ISO8583_TLS: 'false' },
  ...{ PAYMENTS_ISO8583_MERCHANT: 'MERCHANT0000001', PAYMENTS_ISO8583_ACQUIRER_ID: '12345' },
  PAYMENTS_ISO8583_TERMINALS: 'TERM0001,TERM0002,TERM0003,TERM0004',
};

/**
 * What waits for minutes in life. On a busy machine the host may have a request for seconds before it
 * books it, and of what is booked after its reversal nobody would ever hear: this acquirer cannot be
 * asked. The lease is the sum that D-25 asks for. Reversals go on for four times as long as the longest
 * pause between two connections to the host, so that one that never comes to pass is a finding.
 */
const SHORT_WAITS = {
  ...{ PAYMENTS_SEND_WINDOW_MS: '2000', PAYMENTS_CALL_TIMEOUT_MS: '1000' },
  ...{ PAYMENTS_MAX_IN_FLIGHT_MS: '5000', PAYMENTS_LEASE_MS: '8500' },
  ...{ PAYMENTS_RESOLVE_BY_MS: '1000', PAYMENTS_SWEEP_INTERVAL_MS: '100' },
  PAYMENTS_INQUIRE_AFTER_MS: '500,1000,2000,4000,7000,10000,15000,20000,30000,40000',
};

/** What a merchant is told. */
export interface ToldMerchant {
  /** Absent if nothing was recorded. */
  readonly id?: string;
  readonly code: string;
}

/** A transaction as its events have it. */
export interface RecordedTransaction {
  readonly id: string;
  readonly operation: string;
  /** The transaction that it is about; null if it began the payment. */
  readonly referencedId: string | null;
  /** Null if nothing was to be sent. */
  readonly reference: string | null;
  /** An approval after the end has an event of its own and is undone. */
  readonly isApproved: boolean;
  /** Its events in their order, each with its reason. */
  readonly story: readonly string[];
}

const RECORDED = `
  SELECT data->>'transactionId' AS id,
    max(data->>'operation') AS operation,
    max(data->>'referencedId') FILTER (WHERE type = 'TransactionRequested') AS "referencedId",
    max(data->'request'->>'acquirerReference')
      FILTER (WHERE type IN ('PaymentInitiated', 'TransactionRequested')) AS reference,
    bool_or(type = 'TransactionApproved') AS "isApproved",
    array_agg(concat_ws(' ', type, data->>'reason') ORDER BY version) AS story
  FROM payments.events GROUP BY stream_id, data->>'transactionId'`;

interface Body {
  readonly id?: string;
  readonly result: { readonly code: string };
}

/** Every service of a payment, over Kafka, with a host of ISO 8583 that gets all payments; and a merchant. */
export class Iso8583Gateway {
  #host: JposHost | undefined;
  #services: Services | undefined;
  #payments: ServiceProcess | undefined;
  #folder: string | undefined;

  /** @param version of the messages that payments and the host speak */
  constructor(
    private readonly kafka: TestKafka,
    private readonly version: '1987' | '1993',
  ) {}

  get host(): JposHost {
    if (this.#host === undefined) throw new Error('not started');
    return this.#host;
  }

  get #gateway(): Services {
    if (this.#services === undefined) throw new Error('not started');
    return this.#services;
  }

  async start(): Promise<void> {
    this.#host = await startJposHost({ version: this.version });
    this.#folder = await mkdtemp(join(tmpdir(), 'sluice-iso8583-'));
    const seed = join(this.#folder, 'seed.json');
    await writeFile(seed, seedOf('ISO 8583', ACCOUNT));
    this.#services = new Services(this.kafka, {
      ...SHORT_WAITS,
      ...ACQUIRER,
      PAYMENTS_ISO8583_PORT: String(this.#host.port),
      PAYMENTS_ISO8583_VERSION: this.version,
      ...{ THROTTLE_PER_SECOND: '0', THROTTLE_READS_PER_SECOND: '0' },
    });
    const accounts = { ACCOUNTS_DEMO_CHANNEL: 'false', ACCOUNTS_SEED_FILE: seed };
    this.#payments = (await this.#services.start(accounts)).payments;
  }

  /** Kills payments with all that it has under way, and starts it anew. */
  async killPayments(): Promise<void> {
    await this.#payments?.kill();
    this.#payments = await this.#gateway.startPayments();
  }

  /** Pays by a card that tells the host what to do. */
  pay(paymentType: 'PA' | 'DB', amount: string, told: ToldHost): Promise<ToldMerchant> {
    return this.#ask('/v1/payments', {
      ...{ amount, currency: 'EUR', paymentType, paymentBrand: 'VISA' },
      ...{ 'card.number': cardTelling(told), 'card.holder': 'Jane Jones', 'card.cvv': '123' },
      ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
    });
  }

  /** Captures, refunds or reverses what an earlier payment has approved. */
  follow(id: string, paymentType: 'CP' | 'RF' | 'RV', amount?: string): Promise<ToldMerchant> {
    const money = amount !== undefined && { amount, currency: 'EUR' };
    return this.#ask(`/v1/payments/${id}`, { paymentType, ...money });
  }

  read(id: string): Promise<ToldMerchant> {
    return this.#ask(`/v1/payments/${id}`);
  }

  /** What is recorded when recovery has nothing more to do. */
  async recorded(): Promise<readonly RecordedTransaction[]> {
    await this.#gateway.untilOpen(0);
    return this.#gateway.rows<RecordedTransaction>(RECORDED);
  }

  /** Ends everything, whatever state it is in. */
  async remove(): Promise<void> {
    await this.#services?.remove();
    await this.#host?.stop();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true });
  }

  async #ask(path: string, form?: Readonly<Record<string, string>>): Promise<ToldMerchant> {
    const fields = new URLSearchParams({ entityId: ACCOUNT.entityId, ...form });
    const target = `${this.#gateway.url}${path}`;
    const headers = { authorization: `Bearer ${ACCOUNT.accessToken}` };
    const response =
      form === undefined
        ? await fetch(`${target}?${fields.toString()}`, { headers })
        : await fetch(target, { method: 'POST', headers, body: fields });
    const { id, result } = (await response.json()) as Body;
    return { code: result.code, ...(id !== undefined && { id }) };
  }
}
