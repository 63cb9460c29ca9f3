import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { run } from './run.mjs';

const node = (script: string) => run(process.execPath, ['-e', script]);

describe('a program that is run to its end', () => {
  it('gives what it printed', async () => {
    expect(await node("console.log('done'); console.error('aside')")).toBe('done\n');
  });

  it('tells how it failed, and what it printed last, wherever it did', async () => {
    await expect(
      node("console.log('one'); console.error('two'); process.exitCode = 3"),
    ).rejects.toThrow(/ended with 3: one\ntwo$/);
  });

  it('tells that it is not there', async () => {
    await expect(run('/nowhere/program', [])).rejects.toThrow('ended with ENOENT: spawn');
  });
});
