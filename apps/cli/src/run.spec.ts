import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { spawnSync } from 'node:child_process';
import { sluice } from './command-line-fixture.js';
import { commandLineReference } from './command-line-reference.js';
import { allCommands, sluiceProgram } from './program.js';

const leaves = allCommands(sluiceProgram(() => Promise.resolve())).filter(
  ({ commands }) => commands.length === 0,
);

/** What is typed after `sluice`. */
function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

describe('the command line', () => {
  it.each([
    ['bogus', /Unknown command 'bogus'/],
    ['streams show', /Missing required argument 'id'/],
    ['streams show xyz', /is no id/],
    [`streams show ${'a'.repeat(32)} --service vault`, /Allowed choices are payments/],
    ['streams list --bogus', /Unknown (?:option|command)/],
    ['replay', /Say where to/],
    ['replay --to-earliest', /either --group G or --all-groups/],
    ['replay --group g --to-earliest', /either --topic T\[:p1,p2\] or --all-topics/],
    ['replay --group g --topic t --to-earliest --to-latest', /Only one position/],
    [
      'replay --group g --topic t --to-earliest --execute --dry-run',
      /Either --dry-run or --execute/,
    ],
    ['replay --group g --topic t --to-earliest --execute --export', /Only one of/],
    ['replay --group g --topic t --to-earliest --switch', /--switch cannot be given with a group/],
    ['replay --projection transactions --to-earliest', /--to-earliest cannot be given/],
    ['replay --projection transactions', /Say what to do/],
    ['replay --projection transactions --rollback --drop', /Say what to do/],
    ['replay --projection transactions --into live', /--into takes "shadow"/],
    ['replay --projection nothing --diff', /no projection "nothing"; there is: transactions/],
    ['dead-letters redrive', /either the ids/],
    ['dead-letters list --topic a --projection b', /Either --topic or --projection/],
    ['topics apply --replication-factor x', /from 1 to 9/],
    ['risk rules set --node a', /--file <file>/],
    ['risk review approve', /Missing required argument 'ids'/],
    ['migrations status nothing', /no service "nothing"/],
  ])('says what is wrong with "%s", exit code 2', async (line, sentence) => {
    const { exitCode, output, errors } = await sluice(line);
    expect(errors).toMatch(sentence);
    expect([exitCode, output, errors.split('\n')]).toEqual([2, '', [expect.any(String), '']]);
  });

  it.each(['', 'streams', 'risk rules'])(
    'shows what there is to "%s", exit code 2',
    async (line) => {
      const { exitCode, output, errors } = await sluice(line);
      expect(errors).toMatch(/^Usage: sluice.*\n(?:.*\n)*Commands:\n/);
      expect([exitCode, output]).toEqual([2, '']);
    },
  );

  it('knows its version', async () => {
    const { exitCode, output } = await sluice('--version');
    expect(output).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(exitCode).toBe(0);
  });

  it('has help with an example for every command', async () => {
    expect(leaves.length).toBeGreaterThan(10);
    for (const leaf of leaves) {
      const { exitCode, output } = await sluice([...pathOf(leaf), '--help']);
      expect(output).toContain('Example:\n  s');
      expect(exitCode).toBe(0);
    }
  });

  it('is described in the reference, each command and each flag', () => {
    const page = commandLineReference();
    for (const leaf of leaves) {
      for (const { flags } of leaf.options) expect(page).toContain(`\`${flags}\``);
    }
    expect(page.match(/^## sluice /gm)).toHaveLength(leaves.length);
  });

  it('says in a sentence that a database is away, without its password', async () => {
    const environment = { PAYMENTS_DATABASE_URL: 'postgres://app:hidden@127.0.0.1:1/x' };
    const { exitCode, errors } = await sluice(`streams show ${'a'.repeat(32)}`, { environment });
    expect(errors).toBe('The database does not answer (ECONNREFUSED); is the cluster running?\n');
    expect(exitCode).toBe(1);
  });

  it('says in a sentence that Kafka is away', async () => {
    const { exitCode, errors } = await sluice('topics list --brokers 127.0.0.1:1');
    expect(errors).toBe('Kafka at 127.0.0.1:1 does not answer.\n');
    expect(exitCode).toBe(1);
  });
});

describe('completion for bash', () => {
  async function completed(...words: readonly string[]): Promise<string[]> {
    const { output } = await sluice('completion');
    const script = `${output}
      COMP_WORDS=(sluice ${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length}
      _sluice; printf '%s\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    return stdout.split('\n').filter((line) => line !== '');
  }

  it('knows commands and flags', async () => {
    expect(await completed('pro')).toEqual(['projections']);
    expect(await completed('projections', 'l')).toEqual(['list']);
    expect(await completed('risk', 'rules', 's')).toEqual(['show', 'set']);
    expect(await completed('risk', 'lists', 'add', '--u')).toEqual(['--until']);
    expect(await completed('replay', '--execute', '--to-e')).toEqual(['--to-earliest']);
  });
});
