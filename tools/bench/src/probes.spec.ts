import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from '../../build.mjs';
import { Probes } from './probes.js';

/** Sends one HTTP request, and three to something that takes them for Kafka's. */
const PROGRAM = `
  import { createServer, get } from 'node:http';
  import { connect } from 'node:net';
  const server = createServer((_, answer) => answer.end('{}')).listen(0, () => {
    get({ port: server.address().port, path: '/hold?x=1' }, (answer) => answer.resume());
  });
  const socket = connect(Number(process.argv[1]), () => {
    for (const key of [0, 1, 1]) socket.write(Buffer.from([0, 0, 0, 4, 0, key, 0, 0]));
  });
  setInterval(() => JSON.parse(JSON.stringify({ a: Array(100_000).fill('x') })), 1);`;
const PROBE = new URL('../dist/account-probe.js', import.meta.url);

let folder: string;
let child: ChildProcess | undefined;
let broker: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-probes-'));
});

afterEach(() => {
  child?.kill('SIGKILL');
  broker?.close();
  rmSync(folder, { recursive: true });
});

describe('a probe', () => {
  it('counts what its process sends, and profiles it when told', async () => {
    await build(undefined, ['tools/bench']);
    const probes = await Probes.listen(folder, PROBE);
    broker = createServer((socket) => void socket.on('error', () => undefined).resume());
    await once(broker.listen(0), 'listening');
    const { port } = broker.address() as AddressInfo;
    const words = [...probes.nodeOptions, '--input-type=module', '-e', PROGRAM, String(port)];
    child = spawn(process.execPath, words, {
      stdio: 'inherit',
      env: { ...process.env, KAFKA_BROKERS: `127.0.0.1:${port}` },
    });
    const pid = child.pid ?? 0;
    while (((await probes.counts()).get(pid)?.['Kafka fetch'] ?? 0) < 2) await pause(10);
    expect((await probes.counts()).get(pid)).toMatchObject({
      ...{ 'HTTP GET /hold': 1, 'Kafka produce': 1, 'Kafka fetch': 2 },
    });
    await probes.start();
    await pause(200);
    const { profile, helpers } = (await probes.stop()).get(pid) ?? {};
    const names = profile?.nodes.map(({ callFrame }) => callFrame.functionName);
    expect(names).toContain('jsonParse');
    expect(helpers).toEqual({ collection: expect.any(Number), compilation: expect.any(Number) });
    probes.close();
  });
});
