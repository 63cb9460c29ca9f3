import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { AuthenticationSettings, RoutedNode, RoutingQuery } from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import { ENTITY_ID, OTHER_ENTITY_ID } from '../test/payments-fixture.js';
import { accountId, accountWith, routeTo } from '../test/routes-fixture.js';
import { settings } from '../test/scripted-risk.js';
import { LiveRoutes } from './live-routes.js';
import { RoutingIndex } from './routing-index.js';

/** Accounts that answer with these versions, one after the other; `away` is no answer. */
function accountsThatSay(...answers: readonly string[]) {
  const asked: RoutingQuery[] = [];
  const changes: string[] = [];
  const outages: string[] = [];
  const queries: Queries = {
    ask: async <Answer>(_: string, __: string, query: object): Promise<Answer> => {
      const version = answers[asked.push(query) - 1] ?? 'away';
      if (version === 'away') throw new Error('away');
      const isKnown = (query as RoutingQuery).knownVersion === version;
      return (isKnown ? {} : { directory: { version, nodes: [] } }) as Answer;
    },
  };
  const routes = new LiveRoutes({
    queries,
    outage: { failed: () => outages.push('failed'), over: () => outages.push('over') },
    changed: ({ version }) => changes.push(version),
  });
  return { routes, asked, changes, outages };
}

describe('routes that are learnt', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are asked for with the version that is known, and told when they change', async () => {
    const { routes, asked, changes } = accountsThatSay('1', '1', '2');
    expect(routes.index).toBeUndefined();
    for (let count = 0; count < 3; count += 1) await routes.refresh();
    expect(asked).toEqual([{}, { knownVersion: '1' }, { knownVersion: '1' }]);
    expect(changes).toEqual(['1', '2']);
    expect(routes.index?.version).toBe('2');
  });

  it('stay while accounts is away, which is reported', async () => {
    const { routes, outages } = accountsThatSay('1', 'away', '2');
    for (let count = 0; count < 2; count += 1) await routes.refresh();
    expect(routes.index?.version).toBe('1');
    await routes.refresh();
    expect(routes.index?.version).toBe('2');
    expect(outages).toEqual(['over', 'failed', 'over']);
  });

  it('are asked for more often before the first answer, and no more in the end', async () => {
    jest.useFakeTimers();
    const { routes, asked } = accountsThatSay('away', 'away', '1', '1');
    await routes.start();
    await jest.advanceTimersByTimeAsync(400);
    expect(asked).toHaveLength(3);
    await jest.advanceTimersByTimeAsync(1_999);
    expect(asked).toHaveLength(3);
    await jest.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(4);
    routes.close();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(4);
  });

  it('are none where nobody is asked', async () => {
    const outage = { failed: () => undefined, over: () => undefined };
    const routes = new LiveRoutes({ queries: undefined, outage, changed: () => undefined });
    await routes.start();
    expect(routes.index?.hasRoutes).toBe(false);
  });
});

describe('the routes of an entity', () => {
  const merchantId = OTHER_ENTITY_ID;
  const merchant: RoutedNode = {
    ...{ id: merchantId, merchantAccounts: [accountWith('a', 'first')], routes: [routeTo('b')] },
  };
  const channel: RoutedNode = { id: ENTITY_ID, parentId: merchantId, routes: [routeTo('a')] };
  const index = new RoutingIndex({ version: '1', nodes: [channel, merchant] });

  it('are its own and those above, which find accounts above them', () => {
    const placed = index.routesOf(ENTITY_ID);
    expect(placed).toMatchObject([
      { level: 0, nodeId: ENTITY_ID, account: { id: accountId('a') } },
      { level: 1, nodeId: merchantId },
    ]);
    // Of an account that no node has.
    expect(placed[1]).not.toHaveProperty('account');
    expect(index.routesOf(ENTITY_ID)).toBe(placed);
  });

  it('are none of an entity that nobody knows', () => {
    expect(index.routesOf('0'.repeat(32) as never)).toEqual([]);
  });

  it('end where parents go in circles', () => {
    const nodes = [{ ...merchant, parentId: ENTITY_ID }, channel];
    expect(new RoutingIndex({ version: '1', nodes }).routesOf(ENTITY_ID)).toHaveLength(4);
  });

  it('are there or not, for the installation as a whole', () => {
    const hasRoutes = (nodes: readonly RoutedNode[]) =>
      new RoutingIndex({ version: '1', nodes }).hasRoutes;
    expect(hasRoutes([channel, merchant])).toBe(true);
    expect(hasRoutes([{ ...merchant, routes: [] }])).toBe(false);
    expect(index.accounts.get(accountId('a'))?.connector).toBe('first');
  });
});

describe('what the tree says of an entity', () => {
  const [divisionId, merchantId] = ['d'.repeat(32) as typeof ENTITY_ID, OTHER_ENTITY_ID];
  const always: AuthenticationSettings = { ...settings, authenticates: 'always' };
  const bare: AuthenticationSettings = { ...settings, merchantName: 'Shoes', goesOnWith: ['Y'] };
  const treeOf = (said: Readonly<Record<string, AuthenticationSettings>>) =>
    new RoutingIndex({
      version: '1',
      nodes: [
        { id: ENTITY_ID, parentId: merchantId },
        { id: merchantId, parentId: divisionId },
        { id: divisionId },
      ].map((node) => ({ ...node, ...(said[node.id] && { authentication: said[node.id] }) })),
    });

  it('is where it stands, also without routes, so that rules above it are found', () => {
    expect(treeOf({}).nodesAbove(ENTITY_ID)).toEqual([ENTITY_ID, merchantId, divisionId]);
    expect(treeOf({}).hasRoutes).toBe(false);
  });

  it('of 3-D Secure is nothing where no node says anything', () => {
    expect(treeOf({}).authenticationOf(ENTITY_ID)).toBeUndefined();
  });

  it('of 3-D Secure holds for all below', () => {
    const index = treeOf({ [divisionId]: always });
    expect(index.authenticationOf(ENTITY_ID)).toEqual(always);
    expect(index.authenticationOf(merchantId)).toEqual(always);
  });

  it('of 3-D Secure is what the nearest node says, as a whole, and not what stands beside or below', () => {
    const index = treeOf({ [divisionId]: always, [merchantId]: bare });
    expect(index.authenticationOf(ENTITY_ID)).toEqual(bare);
    expect(index.authenticationOf(divisionId)).toEqual(always);
    expect(treeOf({ [ENTITY_ID]: bare }).authenticationOf(merchantId)).toBeUndefined();
    expect(index.authenticationOf('0'.repeat(32) as typeof ENTITY_ID)).toBeUndefined();
  });
});
