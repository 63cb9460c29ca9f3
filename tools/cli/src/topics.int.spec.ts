import { describe, expect, it } from '@jest/globals';
import { declaredTopics } from '@sluice/contracts';
import { testKafka } from '@sluice/testing';
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
