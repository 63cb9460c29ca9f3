import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { workspaceRoot } from '../../projects.mjs';

/** Programs of others, which have a command line of their own. */
const FOREIGN = ['lint', 'format', 'format:check', 'test:mutation'];
/** What they do needs a word that says it. */
const NEED_A_WORD = ['kafka', 'drill', 'sluice', 'monitoring'];
/** On a machine that runs other suites meanwhile. */
const ENDS_WITHIN_MS = 60_000;

const { scripts } = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const commands = Object.keys(scripts).filter((name) => !FOREIGN.includes(name));

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** What npm would start, with more words. */
async function run(name: string, ...words: readonly string[]): Promise<Ended> {
  const [program = '', ...own] = (scripts[name] ?? '').split(' ');
  const child = spawn(program === 'node' ? process.execPath : program, [...own, ...words], {
    cwd: workspaceRoot,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: ENDS_WITHIN_MS,
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output, errors };
}

describe('every command of package.json', () => {
  it('is one program, so that words behind it reach it', () => {
    expect(commands.length).toBeGreaterThan(15);
    for (const name of commands) expect(scripts[name]).not.toMatch(/[&|;]/);
  });

  it.each(commands)(
    '%s says what it is for',
    async (name) => {
      const { code, output, errors } = await run(name, '--help');
      expect(output).toMatch(/^Usage: /);
      expect([code, errors]).toEqual([0, '']);
    },
    ENDS_WITHIN_MS,
  );

  it.each(commands)(
    '%s refuses an unknown flag in a sentence, and begins nothing',
    async (name) => {
      const { code, output, errors } = await run(name, '--no-such-flag');
      expect(errors).toMatch(/^[A-Z"].*--no-such-flag.*\.\n$/);
      expect([code, output]).toEqual([2, '']);
    },
    ENDS_WITHIN_MS,
  );

  it.each(commands)(
    '%s refuses a word that it does not know, and begins nothing',
    async (name) => {
      const { code, output, errors } = await run(name, 'no-such-word');
      expect(errors).toMatch(/^(?:Too many arguments\.|.*no-such-word).*\.\n$/);
      expect([code, output]).toEqual([2, '']);
    },
    ENDS_WITHIN_MS,
  );

  it.each(NEED_A_WORD)(
    '%s says what is missing when nothing is said',
    async (name) => {
      const { code, output, errors } = await run(name);
      expect(errors).toMatch(/^(?:Missing required argument '\w+'\. See --help\.\n$|Usage: )/);
      expect([code, output]).toEqual([2, '']);
    },
    ENDS_WITHIN_MS,
  );

  it(
    'of sabotage knows no defect that is not there',
    async () => {
      const { code, errors } = await run('test:sabotage', 'S99');
      expect(errors).toMatch(/Allowed choices are S1, .*, table/);
      expect(code).toBe(2);
    },
    ENDS_WITHIN_MS,
  );
});
