import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityId } from '@sluice/identifiers';
import { atMost, CHANNEL, MERCHANT, payment, RiskWorld } from '../../test/risk-fixture.js';
import { RulesChangedMeanwhile } from './rule-book.js';

let world: RiskWorld;
let risk: Awaited<ReturnType<RiskWorld['start']>>;
beforeAll(async () => {
  world = await RiskWorld.open();
  risk = await world.start();
});
afterAll(() => world.close());

describe('a change of rules', () => {
  it('is refused where others are there than those that it is based on', async () => {
    const file = { rules: [atMost(3)] };
    expect(await world.rules.change(CHANNEL, file, 'jane', 0)).toBe(1);
    await expect(world.rules.change(CHANNEL, {}, 'joe', 0)).rejects.toThrow(RulesChangedMeanwhile);
    expect(await world.rules.change(CHANNEL, {}, 'joe', 1)).toBe(2);
    const history = await world.rules.history(CHANNEL);
    expect(history.map(({ actor }) => actor)).toEqual(['joe', 'jane']);
  });

  it('is recorded once of many that are based on the same', async () => {
    const changes = Array.from({ length: 8 }, (_, at) =>
      world.rules.change(CHANNEL, {}, `operator ${at}`, 2),
    );
    const ended = await Promise.allSettled(changes);
    const refused = ended.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as unknown] : [],
    );
    expect(refused).toHaveLength(7);
    for (const reason of refused) expect(reason).toBeInstanceOf(RulesChangedMeanwhile);
  });
});

/** As another release has written them, or a hand. */
const byAnother = (nodeId: string, file: object = { rules: [{ ...atMost(1), phase: 'moon' }] }) =>
  world.rows(
    `INSERT INTO rule_sets (node_id, version, actor, file)
     SELECT $1, coalesce(max(version), 0) + 1, 'another release', $2 FROM rule_sets WHERE node_id = $1`,
    [nodeId, JSON.stringify(file)],
  );

describe('rules that this release cannot read', () => {
  const OTHER = '8ac7a4c8700000000000000000000003' as EntityId;
  const decisionOf = async (nodes: readonly EntityId[]) =>
    (await risk.assess(payment({ nodes }))).decision;

  it('leave their node with the version before them, and all others with their newest', async () => {
    await world.rules.change(CHANNEL, { rules: [atMost(0)] }, 'jane');
    await byAnother(CHANNEL);
    await byAnother(CHANNEL);
    await world.rules.change(MERCHANT, { rules: [atMost(0)] }, 'jane');
    await risk.look();
    expect(await decisionOf([CHANNEL])).toBe('reject');
    expect(await decisionOf([MERCHANT])).toBe('reject');
    const told = world
      .logged()
      .split('\n')
      .find((line) => line.includes('older ones hold'));
    expect(JSON.parse(told ?? '')).toMatchObject({
      ...{ level: 'error', nodeId: CHANNEL, version: 6, heldVersion: 4 },
      fault: expect.stringContaining('rules[0] has no member "phase"'),
    });
    // A process that starts now knows no more, and decides the same.
    const other = await world.start();
    expect((await other.assess(payment({ nodes: [CHANNEL] }))).decision).toBe('reject');
  });

  it('stop the payments of their node, and of no other, where nothing can be read before them', async () => {
    await byAnother(OTHER);
    await risk.look();
    const { nodes } = await risk.assessedNodes();
    expect(nodes?.assessed).toContain(OTHER);
    await expect(risk.assess(payment({ nodes: [OTHER, MERCHANT] }))).rejects.toThrow();
    expect(await decisionOf([MERCHANT])).toBe('reject');
    expect(world.logged()).toContain('its payments are not taken');
  });

  it('are told of under a version of their own, for askers that go from one release to another', async () => {
    const { nodes } = await risk.assessedNodes();
    const [row] = await world.rows<{ count: number }>('SELECT count(*)::int FROM rule_sets');
    expect(nodes?.version).toBe(`${String(row?.count)} ${CHANNEL}:6 ${OTHER}:1`);
  });

  it('are over with the next version', async () => {
    for (const node of [CHANNEL, OTHER]) await world.rules.change(node, {}, 'joe');
    await risk.look();
    expect(await decisionOf([OTHER, CHANNEL])).toBe('accept');
  });

  it('are not found by a fault of the database: then what was read holds, and is read again', async () => {
    await world.rules.change(CHANNEL, { rules: [atMost(0)] }, 'jane');
    await world.rows('ALTER TABLE rule_sets RENAME COLUMN file TO away');
    await risk.look();
    expect(await decisionOf([CHANNEL])).toBe('accept');
    await world.rows('ALTER TABLE rule_sets RENAME COLUMN away TO file');
    await risk.look();
    expect(await decisionOf([CHANNEL])).toBe('reject');
  });
});

describe('rules about addresses of the Internet', () => {
  const elsewhere = {
    ...{ id: 'elsewhere', name: 'Sent from elsewhere than the bill', then: 'reject' },
    when: { countriesDiffer: ['ip', 'billing'] },
  };
  const nodes = [CHANNEL];
  const parameters = { 'customer.ip': '192.0.2.17', 'billing.country': 'DE' };

  it('are refused as long as no instance knows them, then set and applied', async () => {
    const set = () => world.rules.change(CHANNEL, { rules: [elsewhere] }, 'jane');
    await expect(set()).rejects.toThrow('name a file with them in RISK_IP_COUNTRY_FILE');
    const ipCountryFile = await world.countries({ '192.0.2.0/24': 'NL' });
    const knowing = await world.start({ ipCountryFile });
    await set();
    await knowing.look();
    expect((await knowing.assess(payment({ nodes, parameters }))).decision).toBe('reject');
    const home = { ...parameters, 'billing.country': 'NL' };
    expect((await knowing.assess(payment({ nodes, parameters: home }))).decision).toBe('accept');
    const [kept] = await world.rows<{ facts: object }>(
      "SELECT facts FROM assessments WHERE decision = 'reject' ORDER BY assessed_at DESC LIMIT 1",
    );
    expect(kept?.facts).toMatchObject({ ipCountry: 'NL' });
  });

  it('never hold in a process without the file, which says so, and can be set no more', async () => {
    const other = await world.start();
    expect((await other.assess(payment({ nodes, parameters }))).decision).toBe('accept');
    expect(world.logged()).toContain('this instance has no file for it');
    await expect(world.rules.change(MERCHANT, { rules: [elsewhere] }, 'jane')).rejects.toThrow(
      'RISK_IP_COUNTRY_FILE',
    );
  });
});
