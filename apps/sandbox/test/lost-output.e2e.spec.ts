import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endOrphans, launched, sandboxDatabaseUrl } from '@sluice/testing';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { payAtDemoChannel } from './demo-payment-fixture.js';

const SANDBOX = launched('apps/sandbox/dist/main.js');
const START_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 10_000;

type Sandbox = ChildProcessByStdio<null, Readable, Readable>;

let folder: string;
let sandbox: Sandbox;
let debuggerPort: number;
let url: string;
let complaints = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-output-'));
  debuggerPort = await freePort();
  sandbox = spawn(process.execPath, [...SANDBOX, '--port', '0', '--data', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_OPTIONS: `--inspect-port=${debuggerPort}`,
    },
  });
  sandbox.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  url = await new Promise((resolve) => {
    let output = '';
    sandbox.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /ready on (http\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}, START_WITHIN_MS);

afterAll(async () => {
  sandbox.kill('SIGKILL');
  await endOrphans(folder);
  await rm(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isReached(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Of each idle connection that ends there is a line. */
async function giveItSomethingToSay(): Promise<void> {
  const database = new Client({ connectionString: await sandboxDatabaseUrl(folder) });
  await database.connect();
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  await database.end();
}

describe('a sandbox', () => {
  it('opens no debugger at SIGUSR1', async () => {
    sandbox.kill('SIGUSR1');
    while (!/SIGUSR1|Debugger/.test(complaints)) await pause(10);
    expect(complaints).toMatch(/^SIGUSR1 opens no debugger here/m);
    expect(await isReached(debuggerPort)).toBe(false);
  });

  it('pays and stops as told when nobody reads what it says', async () => {
    sandbox.stdout.destroy();
    sandbox.stderr.destroy();
    expect(await payAtDemoChannel(url)).toBe('000.100.110');
    await giveItSomethingToSay();
    expect(await payAtDemoChannel(url)).toBe('000.100.110');
    const ended = once(sandbox, 'exit');
    sandbox.kill('SIGTERM');
    const end = await Promise.race([ended, pause(STOP_WITHIN_MS, ['no end'], { ref: false })]);
    expect(end).toEqual([0, null]);
  }, 30_000);
});
