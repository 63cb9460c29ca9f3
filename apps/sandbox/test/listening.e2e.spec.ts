import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launched, type SandboxProcess } from '@sluice/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const data = join(newFolder(), 'data');
const children: ChildProcess[] = [];
let sandbox: SandboxProcess;

beforeAll(async () => {
  sandbox = await start(data);
}, START_WITHIN_MS);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await endSandboxes();
}, START_WITHIN_MS);

/** A command line, and what it has written until now. */
class Sluice {
  readonly child: ChildProcess;
  written = '';
  #onWritten: (() => void) | undefined;

  constructor(...words: readonly string[]) {
    this.child = spawn(process.execPath, [...COMMAND_LINE, '--data', data, ...words]);
    children.push(this.child);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.written += chunk.toString();
        this.#onWritten?.();
      });
    }
  }

  async until(text: string): Promise<void> {
    while (!this.written.includes(text)) {
      await new Promise<void>((resolve) => {
        this.#onWritten = resolve;
      });
    }
  }
}

async function listed(): Promise<string> {
  const list = new Sluice('webhooks', 'list');
  await once(list.child, 'close');
  return list.written;
}

describe('sluice listen', () => {
  it('goes on after a reset, and ends with its terminal, leaving nothing behind', async () => {
    const listen = new Sluice('listen', '--types', 'PAYMENT');
    await listen.until('are shown as they come');
    const [, management = ''] = /^Management on (\S+):/m.exec(sandbox.output()) ?? [];
    await fetch(`${management}/reset`, { method: 'POST' });
    await listen.until('was reset');
    new Sluice('trigger', 'payment.declined');
    await listen.until('PAYMENT DB 92.00 EUR 800.100.155');
    listen.child.kill('SIGHUP');
    const [code] = (await once(listen.child, 'close')) as [number | null];
    expect(code).toBe(0);
    expect(await listed()).toContain('Nobody is told of anything');
  }, 60_000);
});
