import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { atMost, CHANNEL, RiskWorld } from '../../test/risk-fixture.js';
import { RulesChangedMeanwhile } from './rule-book.js';

let world: RiskWorld;
beforeAll(async () => {
  world = await RiskWorld.open();
  await world.start();
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
