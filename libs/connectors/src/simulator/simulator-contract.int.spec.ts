import { afterAll, beforeAll } from '@jest/globals';
import { currency } from '@sluice/money';
import { Cvv, Pan } from '@sluice/secrets';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from '../../../../tools/build.mjs';
import { describeConnectorContract } from '../connector-contract-fixture.js';
import type { ConnectorRequest } from '../connector.js';
import { SimulatorConnector } from './simulator-connector.js';

const PROGRAM = fileURLToPath(new URL('../../../../apps/simulator/dist/main.js', import.meta.url));
const BUILD_WITHIN_MS = 120_000;

let folder: string;
let child: ChildProcess;
let url = '';
let references = 0;

beforeAll(async () => {
  await build();
  folder = await mkdtemp(join(tmpdir(), 'sluice-simulator-contract-'));
  const book = join(folder, 'book.ndjson');
  const env = { PATH: process.env['PATH'], SIMULATOR_BOOK: book, SIMULATOR_PORT: '0' };
  const started = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'], env });
  child = started;
  for await (const line of createInterface(started.stdout)) {
    const ready = JSON.parse(line) as { url?: string };
    if (ready.url === undefined) continue;
    url = ready.url;
    break;
  }
}, BUILD_WITHIN_MS);

afterAll(async () => {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  await rm(folder, { recursive: true });
});

function approved(more: Partial<ConnectorRequest> = {}): ConnectorRequest {
  references += 1;
  return {
    acquirerReference: `contract-${String(references)}`,
    operation: 'debit',
    amount: { minor: 9200n, currency: currency('EUR') },
    mode: 'INTERNAL',
    ...more,
  };
}

describeConnectorContract('simulator', {
  acquirerUrl: () => url,
  connectorTo: (address, connectionsMax) =>
    new SimulatorConnector({ url: address, connectionsMax }),
  approved,
  refused: () => approved({ simulatorFault: 'no such fault' }),
  card: {
    number: new Pan('4200000000000042'),
    expiryMonth: '05',
    expiryYear: '2034',
    cvv: new Cvv('918'),
  },
  bookings: async (reference) => {
    const text = await (await fetch(`${url}/book`)).text();
    return text.split('\n').filter((line) => line.includes(`"reference":"${reference}"`)).length;
  },
});
