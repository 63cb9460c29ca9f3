import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launched, NotificationReceiver, type SandboxProcess } from '@sluice/testing';
import { newFolder, start } from './started-sandboxes-fixture.js';

/** Two merchants with a shop each, who must not learn anything of one another. */
export const OWNER = {
  entityId: '8ac7a4c97ee0000000000000000000b1',
  token: 'the-token-of-the-owner-of-it',
};
export const OTHER = {
  entityId: '8ac7a4c97ee0000000000000000000b2',
  token: 'the-token-of-somebody-else-at-all',
};
export type Merchant = typeof OWNER;

/** Parameters by wire name. */
export type Fields = Readonly<Record<string, string>>;

/** An answer as it came. */
export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const COMMAND_LINE = launched('apps/cli/dist/main.js');
/** As each of them is to the directory server of its cards. */
const THREE_D_SECURE = {
  ...{ authenticates: 'onDemand', merchantName: 'A company', merchantCountry: 'DE' },
  ...{ merchantCategoryCode: '5942', merchantUrl: 'https://shop.example' },
  requestors: {
    visa: {
      ...{ requestorId: 'V-4711', requestorName: 'A company' },
      ...{ acquirerBin: '400000', acquirerMerchantId: '000000000000001' },
    },
  },
};

/** A sandbox of both, and the command line of its operator. */
export class TwoMerchants {
  private constructor(
    readonly sandbox: SandboxProcess,
    private readonly dataFolder: string,
    private readonly receivers: readonly NotificationReceiver[],
  ) {}

  static async start(): Promise<TwoMerchants> {
    // What the other one's secret opens, neither of them can read.
    const secrets = [OWNER, OTHER].map((_, index) => String(index).repeat(64));
    const receivers = await Promise.all(
      secrets.map((secret) => NotificationReceiver.start(secret)),
    );
    const folder = newFolder();
    const merchants = [OWNER, OTHER].map(({ token }, index) => ({
      ...{ name: `Company ${index}`, accessTokens: [token], threeDSecure: THREE_D_SECURE },
    }));
    const channels = [OWNER, OTHER].map(({ entityId }, index) => ({
      ...{ entityId, name: `Shop ${index}`, merchant: `Company ${index}`, shoppersMayDelete: true },
      webhooks: [receivers[index]?.seed()],
    }));
    const seedFile = join(folder, 'seed.json');
    writeFileSync(seedFile, JSON.stringify({ merchants, channels }));
    const dataFolder = join(folder, 'data');
    mkdirSync(dataFolder);
    // The status of one checkout is read at more places than its throttle lets pass.
    const sandbox = await start(dataFolder, ['--seed', seedFile, '--throttle', '0']);
    return new TwoMerchants(sandbox, dataFolder, receivers);
  }

  /** What a merchant is told. */
  receiverOf(merchant: Merchant): NotificationReceiver {
    const receiver = this.receivers[[OWNER, OTHER].indexOf(merchant)];
    if (receiver === undefined) throw new Error('a third merchant');
    return receiver;
  }

  async close(): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
  }

  /** Asks for what a merchant's server asks, in the body or in the query. */
  async send(by: Merchant, method: string, path: string, fields: Fields): Promise<Answered> {
    const form = new URLSearchParams({ ...fields, entityId: by.entityId });
    const headers = { Authorization: `Bearer ${by.token}` };
    const hasBody = method === 'POST';
    const { url } = this.sandbox;
    const target = hasBody ? `${url}${path}` : `${url}${path}?${form.toString()}`;
    return answered(await fetch(target, { method, headers, ...(hasBody && { body: form }) }));
  }

  /** What the operator's command line prints. */
  async risk(...words: readonly string[]): Promise<string> {
    const line = [...COMMAND_LINE, '--data', this.dataFolder, 'risk', ...words];
    return (await promisify(execFile)(process.execPath, line)).stdout;
  }

  /** The rules of a merchant's shop. */
  async setRules({ entityId }: Merchant, rules: readonly object[]): Promise<void> {
    const file = join(this.dataFolder, '..', `rules-of-${entityId}.json`);
    writeFileSync(file, JSON.stringify({ rules }));
    await this.risk('rules', 'set', '--node', entityId, '--file', file, '--execute');
  }
}

/** With its JSON read. */
export async function answered(response: Response): Promise<Answered> {
  const body = (await response.json()) as Answered['body'];
  return { status: response.status, body };
}

/** What differs between any two answers. */
const OWN_FIELDS = ['id', 'shortId', 'descriptor', 'ndc', 'timestamp'] as const;

/** An answer without what differs anyway, and without the id that was asked for. */
export function comparable(answer: Answered, id: string): string {
  const body: Record<string, unknown> = { ...answer.body };
  for (const field of OWN_FIELDS) Reflect.deleteProperty(body, field);
  return JSON.stringify([answer.status, body]).replaceAll(id, 'ID');
}

/** An id like this one that nothing has. */
export function unknownLike(id: string): string {
  return id.slice(0, -4) + (id.endsWith('0000') ? '1111' : '0000');
}
