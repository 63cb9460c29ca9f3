import { deletePostgresData } from '@sluice/embedded-postgres';
import {
  endOrphans,
  NotificationReceiver,
  RawConnection,
  type SandboxProcess,
  seedOf,
  startSandbox,
} from '@sluice/testing/programs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sent } from './rule-sending.js';
import type { RequestContext } from './valid-requests.js';

const account = {
  entityId: '8ac7a4c8700000000000000000000005',
  accessToken: 'interface-fuzz-access-token-0123456789',
};
/** Enough that references are spread: a payment holds a thousand transactions at most (D-09). */
const PAYMENTS = 200;
/** Some are deleted while the sandbox is fuzzed. */
const REGISTRATIONS = 10;

const CARD = '&card.number=4200000000000000&card.expiryMonth=05&card.expiryYear=2034';
const AUTHORIZATION = {
  path: '/v1/payments',
  form: `paymentType=PA&amount=9000.00&currency=EUR&paymentBrand=VISA&card.cvv=123${CARD}`,
} as const;
/** Of the app that some requests send their shoppers back to. */
const APP_SCHEME = 'shop.example';
const REGISTRATION = { path: '/v1/registrations', form: `paymentBrand=VISA${CARD}` } as const;

/** A sandbox of one's own, with authorizations that requests can refer to. */
export interface FuzzedSandbox {
  readonly url: string;
  readonly context: RequestContext;
  /** What its merchant is told. */
  readonly receiver: NotificationReceiver;
  /** What it has printed. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a sandbox on a free port and a fresh folder, without a throttle. */
export async function startFuzzedSandbox(payments = PAYMENTS): Promise<FuzzedSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-interface-fuzz-'));
  const dataFolder = join(folder, 'data');
  const receiver = await NotificationReceiver.start('5e'.repeat(32));
  const started: { sandbox?: SandboxProcess } = {};
  const stop = async (): Promise<void> => {
    await started.sandbox?.stop();
    await receiver.close();
    await endOrphans(dataFolder);
    await deletePostgresData(dataFolder);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const seed = join(folder, 'seed.json');
    await writeFile(
      seed,
      seedOf('Interface fuzz', account, { appSchemes: [APP_SCHEME], webhooks: [receiver.seed()] }),
    );
    const sandbox = (started.sandbox = await startSandbox({
      dataFolder,
      arguments: [
        '--seed',
        seed,
        '--throttle',
        '0',
        '--throttle-reads',
        '0',
        '--log-level',
        'warn',
      ],
    }));
    const { url } = sandbox;
    const paymentIds = await made(url, AUTHORIZATION, payments);
    const registrationIds = await made(url, REGISTRATION, REGISTRATIONS);
    const context = { ...account, paymentIds, registrationIds };
    return { url, context, receiver, output: () => sandbox.output(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Sends so many of these requests; the ids of what they made. */
async function made(
  url: string,
  { path, form }: typeof AUTHORIZATION | typeof REGISTRATION,
  count: number,
): Promise<string[]> {
  const connection = new RawConnection(url);
  const ids: string[] = [];
  while (ids.length < count) {
    const request = { method: 'POST', path, form: `entityId=${account.entityId}&${form}` } as const;
    const { body } = await sent(connection, request, account.accessToken);
    const { id } = JSON.parse(body) as { id?: string };
    if (id === undefined) throw new Error(`nothing was made: ${body}`);
    ids.push(id);
  }
  connection.close();
  return ids;
}
