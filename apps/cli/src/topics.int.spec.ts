import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { declaredTopics } from '@sluice/contracts';
import { type SecuredKafka, startSecuredKafka, testKafka } from '@sluice/testing';
import { type Ran, sluice } from './command-line-fixture.js';

const fixture = testKafka();

function run(line: string): Promise<Ran> {
  const { brokers, topicPrefix } = fixture;
  return sluice(`--brokers ${brokers.join(',')} ${line}`, { topicPrefix });
}

describe('the declared topics', () => {
  it('are missing at first, are made once, and then are there', async () => {
    const before = await run('topics list');
    expect(before.output).toMatch(/payments\.commands\.v1 +24 +missing +24 h 0 min/);
    expect(before.exitCode).toBe(3);
    const applied = await run('topics apply --json');
    expect(applied.json().created).toHaveLength(declaredTopics.length);
    expect([applied.exitCode, applied.json().differences]).toEqual([0, []]);
    const again = await run('topics apply');
    expect([again.exitCode, again.output]).toEqual([0, 'Every topic is there.\n']);
    const after = await run('topics list --json');
    expect(after.exitCode).toBe(0);
    expect(after.json()).toHaveLength(declaredTopics.length);
  }, 60_000);
});

describe('the topics of several cells', () => {
  const ofSecondCell = ['payments.2.commands.v1', 'payments.2.commands.v1.dead'];

  it('are made beside the others, once', async () => {
    await run('topics apply');
    expect((await run('topics list --cells 2')).exitCode).toBe(3);
    const applied = await run('topics apply --cells 2 --json');
    expect(applied.json().created).toEqual(ofSecondCell.map((name) => fixture.topicPrefix + name));
    const listed = await run('topics list --cells 2 --json');
    expect(listed.exitCode).toBe(0);
    expect(listed.json()).toHaveLength(declaredTopics.length + ofSecondCell.length);
  }, 60_000);

  it.each(['0', '65', '1.5', 'two'])('are never those of %s cells', async (cells) => {
    for (const command of ['apply', 'list']) {
      const refused = await run(`topics ${command} --cells ${cells}`);
      expect(refused.exitCode).toBe(2);
      expect(refused.errors).toContain('It must be a whole number from 1 to 64.');
    }
  });
});

describe('the access rules', () => {
  it('are refused by a broker that lets everybody do everything', async () => {
    const refused = await run('topics apply --access');
    expect(refused.exitCode).toBe(4);
    expect(refused.errors).toContain('The broker has no authorizer');
  }, 60_000);
});

describe('on a broker that checks its clients', () => {
  let secured: SecuredKafka;

  beforeAll(async () => {
    secured = await startSecuredKafka();
  }, 180_000);

  afterAll(() => secured.stop());

  async function runAs(name: string, line: string): Promise<Ran> {
    const { certificateFile, keyFile, authorityFile } = await secured.filesOf(name);
    return sluice(line, {
      environment: {
        KAFKA_BROKERS: secured.brokers.join(','),
        KAFKA_TLS_CERTIFICATE_FILE: certificateFile,
        KAFKA_TLS_KEY_FILE: keyFile,
        KAFKA_TLS_AUTHORITY_FILE: authorityFile,
      },
    });
  }

  it('the operator makes topics and access rules, once', async () => {
    const applied = await runAs('operator', 'topics apply --access');
    expect(applied.exitCode).toBe(0);
    expect(applied.output).toContain('\n  User:edge may write topic payments.commands.v1\n');
    expect(applied.output).toContain('\n  User:reporting may read group reporting.*\n');
    const again = await runAs('operator', 'topics apply --access --json');
    expect(again.json()).toEqual({ created: [], granted: [], differences: [] });
  }, 60_000);

  it('the operator lets edge and payments at the topics of every cell', async () => {
    const applied = await runAs('operator', 'topics apply --access --cells 2 --json');
    expect(applied.exitCode).toBe(0);
    expect(applied.json().granted).toEqual(
      expect.arrayContaining([
        'User:edge may write topic payments.2.commands.v1',
        'User:payments may read topic payments.2.commands.v1',
        'User:payments may write topic payments.2.commands.v1.dead',
      ]),
    );
    const again = await runAs('operator', 'topics apply --access --cells 2 --json');
    expect(again.json()).toEqual({ created: [], granted: [], differences: [] });
    const fewer = await runAs('operator', 'topics apply --access');
    expect(fewer.exitCode).toBe(3);
    expect(fewer.output).toContain('User:edge may write topic payments.2.commands.v1 without need');
  }, 60_000);

  it('a service does not', async () => {
    const refused = await runAs('payments', 'topics apply --access');
    expect(refused.exitCode).toBe(1);
    expect(refused.errors).toMatch(/not authorized/i);
  }, 60_000);

  it('files that do not fit together are named by their variables', async () => {
    const { certificateFile } = await secured.filesOf('operator');
    const refused = await sluice('topics list', {
      environment: { KAFKA_TLS_CERTIFICATE_FILE: certificateFile },
    });
    expect(refused.exitCode).toBe(2);
    expect(refused.errors).toContain('KAFKA_TLS_KEY_FILE');
  });
});
