// A server for mails, and processes that send some; no other file but specs imports it.
import { noMetrics } from '@sluice/service';
import { random } from '@sluice/identifiers';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { MailMetrics } from '../src/mails/mail-metrics.js';
import type { MailWay } from '../src/mails/mail-relay.js';
import { type MailSender, mailSenderFor } from '../src/mails/mail-sender.js';
import { MailWatch } from '../src/mails/mail-watch.js';
import { MailsProcessor } from '../src/mails/mails.processor.js';
import { SealedAddresses } from '../src/mails/sealed-addresses.js';
import { SECRET, type WebhooksProcess, type WebhooksWorld } from './webhooks-fixture.js';
import { CHANNEL } from './scripted-queries.js';

export const OPS = 'ops@shop.example';
export const SENDER = 'sluice@gateway.example';

/** A mail that a server has taken. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  /** As it is read. */
  readonly text: string;
  readonly subject: string;
  readonly messageId: string;
}

/** A real server for mails, on this machine. */
export class LocalMailServer {
  readonly received: ReceivedMail[] = [];
  /** The status that addresses are refused with; undefined: they are taken. */
  refusesWith: number | undefined;
  /** Takes a mail, and is never heard of again. */
  hangsAfterData = false;
  #onReceived: (() => void) | undefined;
  readonly #server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      ...options,
      onRcptTo: (_address, _session, answer) => {
        if (this.refusesWith === undefined) return answer();
        const refusal = new Error(`<${OPS}> is not known here`);
        answer(Object.assign(refusal, { responseCode: this.refusesWith }));
      },
      onData: (stream, session, answer) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          const raw = Buffer.concat(chunks).toString('utf8');
          const from = mailFrom === false ? '' : mailFrom.address;
          this.received.push({
            ...{ from, to: rcptTo.map(({ address }) => address), raw },
            text: textOf(raw),
            ...{ subject: headerOf(raw, 'Subject'), messageId: headerOf(raw, 'Message-ID') },
          });
          this.#onReceived?.();
          if (!this.hangsAfterData) answer();
        });
      },
    });
    // A client that is killed, or refuses a certificate, is no defect of the server.
    this.#server.on('error', () => undefined);
  }

  /** Without TLS unless it is told otherwise. */
  static async start(
    options: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] },
  ): Promise<LocalMailServer> {
    const mails = new LocalMailServer(options);
    const listening = mails.#server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return mails;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get way(): MailWay {
    const relay = { kind: 'server', host: '127.0.0.1', port: this.port, isSecure: false } as const;
    return { relay, sender: SENDER };
  }

  /** One more has come. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#onReceived = resolve;
    });
  }

  /** What has come since the last time. */
  taken(): readonly ReceivedMail[] {
    return this.received.splice(0);
  }

  subjects(): readonly string[] {
    return this.taken().map(({ subject }) => subject);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

/** With its lines put together. */
function headerOf(raw: string, name: string): string {
  const [head = ''] = raw.split('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n');
  const line = unfolded.find((each) => each.startsWith(`${name}: `)) ?? '';
  return line.slice(name.length + 2);
}

/** Without the breaks and signs of quoted-printable. */
function textOf(raw: string): string {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4).replaceAll('=\r\n', '');
  const codes = /(?:=[0-9A-F]{2})+/g;
  return body.replaceAll(codes, (some) => Buffer.from(some.replaceAll('=', ''), 'hex').toString());
}

/** What is mailed by a process. */
export class Mailing {
  readonly addresses: SealedAddresses;
  readonly processor: MailsProcessor;

  constructor(
    world: WebhooksWorld,
    private readonly webhooks: WebhooksProcess,
    sender: MailSender,
  ) {
    const { keys, clock, logger } = world;
    const { pool, subscriptions } = webhooks;
    this.addresses = new SealedAddresses(keys, clock);
    const parts = { pool, subscriptions, addresses: this.addresses, machine: clock, logger };
    this.processor = new MailsProcessor({
      ...parts,
      ...{ sender, goesTo: 'smtp://127.0.0.1:1', watch: new MailWatch(parts) },
      metrics: new MailMetrics(noMetrics),
    });
  }

  /** A process that mails by this server. */
  static async start(
    world: WebhooksWorld,
    webhooks: WebhooksProcess,
    server: Pick<LocalMailServer, 'way'>,
  ): Promise<Mailing> {
    const sender = mailSenderFor(server.way, { mustEncrypt: false, logger: world.logger });
    const mailing = new Mailing(world, webhooks, sender);
    await mailing.processor.begin();
    return mailing;
  }

  /** An active subscription whose failures are mailed. */
  async subscribe(url: string, address = OPS): Promise<string> {
    const { subscriptions, secrets } = this.webhooks;
    const subscriptionId = random(16).toString('hex');
    const sealedSecret = await secrets.seal(subscriptionId, SECRET);
    const alertEmails = await this.addresses.seal(subscriptionId, address);
    await subscriptions.decide(subscriptionId, 'spec', (metadata) => ({
      ...{ type: 'AddSubscription', subscriptionId, nodeId: CHANNEL, url, types: ['PAYMENT'] },
      ...{ fields: 'ALL', wrapper: 'none', secretId: random(16).toString('hex'), sealedSecret },
      ...{ alertEmails, isTrusted: true, metadata },
    }));
    return subscriptionId;
  }
}
