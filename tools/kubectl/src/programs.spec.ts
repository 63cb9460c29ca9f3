import { describe, expect, it } from '@jest/globals';
import process from 'node:process';
import { isThere, LocalPrograms, ProgramFailed, ProgramMissing } from './programs.js';

const programs = new LocalPrograms(new AbortController().signal);

function node(script: string): Promise<string> {
  return programs.run(process.execPath, ['-e', script]);
}

describe('other programs', () => {
  it('give what they write to standard output', async () => {
    expect(await node('console.log("out"); console.error("err")')).toBe('out\n');
  });

  it('fail with the last lines of what they said', async () => {
    const script =
      'for (let i = 0; i < 40; i += 1) console.error("line " + i); process.exitCode = 3';
    const failed = await node(script).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ProgramFailed);
    const { lastLines } = failed as ProgramFailed;
    expect(lastLines.split('\n')).toHaveLength(30);
    expect(lastLines).toMatch(/^line 10\n.*line 39$/s);
  });

  it('may be missing', async () => {
    await expect(programs.run('no-such-program-of-sluice', [])).rejects.toThrow(ProgramMissing);
    expect(await isThere(programs, 'no-such-program-of-sluice', ['info'])).toBe(false);
    expect(await isThere(programs, process.execPath, ['--version'])).toBe(true);
  });

  it('end when nobody wants them any longer', async () => {
    const impatience = new AbortController();
    const running = new LocalPrograms(impatience.signal).run(process.execPath, [
      '-e',
      'setInterval(() => {}, 1000)',
    ]);
    impatience.abort();
    await expect(running).rejects.toThrow('aborted');
  });
});
