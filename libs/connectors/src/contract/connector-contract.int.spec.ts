import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SimulatorConnector } from '../simulator/simulator-connector.js';
import {
  SIMULATOR_START_WITHIN_MS,
  type SimulatorProcess,
  startSimulator,
} from '../simulator/simulator-process-fixture.js';
import { simulatorSubject } from '../simulator/simulator-subject-fixture.js';
import type { Connector } from '../connector.js';
import { CONNECTIONS_MAX, contractRules } from './connector-contract-fixture.js';
import { ContractBench, type ContractRule } from './contract-bench-fixture.js';
import type { ContractSubject } from './contract-subject-fixture.js';
import { type WrongConnector, wrongConnectors } from './wrong-connectors-fixture.js';

// The simulator's own connector keeps the contract (simulator-contract.int.spec.ts); each of these is
// that connector with one defect.

const rules = Object.values(contractRules).flat();

let simulator: SimulatorProcess;

beforeAll(async () => {
  simulator = await startSimulator();
}, SIMULATOR_START_WITHIN_MS);

afterAll(() => simulator.stop());

function rulesThatBegin(words: string): readonly ContractRule[] {
  return rules.filter(({ name }) => name.startsWith(words));
}

/** The contract's subject with that defect, and what ends the connectors behind it. */
function subjectWith({ otherwise }: WrongConnector) {
  const { readsTestDirectives: _, ...right } = simulatorSubject(() => simulator.url);
  const rightOnes: SimulatorConnector[] = [];
  const connectorTo = (url: string, connectionsMax: number): Connector => {
    const connector = new SimulatorConnector({ url, connectionsMax });
    rightOnes.push(connector);
    return {
      ...{ name: connector.name, takes: connector.takes, capabilities: connector.capabilities },
      submit: (...given) => connector.submit(...given),
      inquire: (...given) => connector.inquire(...given),
      reverse: (...given) => connector.reverse(...given),
      close: () => connector.close(),
      ...otherwise(connector, url),
    };
  };
  const subject: ContractSubject = { ...right, connectorTo };
  return { subject, end: () => Promise.all(rightOnes.map((connector) => connector.close())) };
}

async function check(rule: ContractRule, wrong: WrongConnector): Promise<void> {
  const { subject, end } = subjectWith(wrong);
  const bench = await ContractBench.open(subject, CONNECTIONS_MAX);
  try {
    await rule.check(bench);
  } finally {
    await end();
    await bench.close();
  }
}

const broken = wrongConnectors.flatMap((wrong) =>
  wrong.breaks.map((words) => [words, wrong.defect, wrong] as const),
);

describe('the contract', () => {
  it.each(broken)('says "%s …" when %s', async (words, _defect, wrong) => {
    const [rule, another] = rulesThatBegin(words);
    expect(another).toBeUndefined();
    await expect(check(rule!, wrong)).rejects.toThrow();
  });

  it('has no rule that none of them breaks', () => {
    const named = new Set(broken.flatMap(([words]) => rulesThatBegin(words)));
    expect(rules.filter((rule) => !named.has(rule)).map(({ name }) => name)).toEqual([]);
  });
});
