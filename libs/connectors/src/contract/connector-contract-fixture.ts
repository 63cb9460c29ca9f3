import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { answerRules } from './answer-rules-fixture.js';
import { capabilityRules } from './capability-rules-fixture.js';
import { ContractBench, type ContractRule } from './contract-bench-fixture.js';
import type { ContractSubject } from './contract-subject-fixture.js';
import { outcomeRules } from './outcome-rules-fixture.js';
import { requestRules } from './request-rules-fixture.js';
import { timeRules } from './time-rules-fixture.js';

/** As many connections as a connector under test may have. */
export const CONNECTIONS_MAX = 4;

/** Every rule, by what it is about. */
export const contractRules: Readonly<Record<string, readonly ContractRule[]>> = {
  'what it declares': capabilityRules,
  'what it sends': requestRules,
  'what answers become': outcomeRules,
  'whose answer it is': answerRules,
  'what time allows': timeRules,
};

/**
 * What every connector keeps, whatever its acquirer speaks. It is called by
 * `<acquirer>/<acquirer>-contract.int.spec.ts`.
 */
export function connectorContract(subject: ContractSubject): void {
  describe.each(Object.entries(contractRules))(`${subject.name}: %s`, (_about, rules) => {
    let bench: ContractBench;

    beforeEach(async () => {
      bench = await ContractBench.open(subject, CONNECTIONS_MAX);
    });

    afterEach(() => bench.close());

    const isHttp = subject.proxied === undefined;
    const tried = rules.filter(({ isOfHttp }) => isHttp || isOfHttp !== true);

    it.each(tried.map((rule) => [rule.name, rule] as const))('%s', (_name, { check }) =>
      check(bench),
    );
  });
}
