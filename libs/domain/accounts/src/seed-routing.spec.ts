import { describe, expect, it } from '@jest/globals';
import { derivedEntityId } from './account-tree.js';
import { demoAccounts, demoMerchantAccount, demoRoute } from './demo.js';
import { merchantAccountFault } from './merchant-account-form.js';
import { routeFault } from './route-form.js';
import { derivedAccountId, derivedRouteId } from './routing-ids.js';
import { parseSeed } from './seed.js';

const entityId = '8a829417567d952801568d9d9e3c0b84';
const otherId = '8a829417567d952801568d9d9e3c0b85';
const merchantId = derivedEntityId('merchant', 'Books');

const endpoint = {
  ...{ address: 'tls://host.example:5000', acquirerMerchantId: 'M-1' },
  ...{ settings: { terminals: 'T1' }, credentials: { key: 'secret:acquirer-a/key' } },
};
const account = { name: 'Acquirer A', connector: 'iso8583', endpoints: { LIVE: endpoint } };
const route = { merchantAccount: 'Acquirer A', modes: ['LIVE'] };

/** A merchant with a channel, each with members of its own. */
function seeded(ofMerchant: object, ofChannel: object = {}) {
  const channel = { entityId, name: 'Shop', merchant: 'Books', accessTokens: ['token-of-16-char'] };
  const merchants = [{ name: 'Books', ...ofMerchant }];
  return parseSeed(
    JSON.stringify({ merchants, channels: [{ ...channel, ...ofChannel }] }, null, 1),
  );
}

function nodesOf(result: ReturnType<typeof parseSeed>) {
  if (result.kind === 'refused') throw new Error(`${result.line}: ${result.reason}`);
  const find = (id: string) => result.accounts.find((each) => each.id === id);
  return { merchant: find(merchantId), channel: find(entityId) };
}

function reasonOf(result: ReturnType<typeof parseSeed>): string {
  return result.kind === 'refused' ? result.reason : 'accepted';
}

describe('the merchant accounts and routes of a seed', () => {
  it('belong to the nodes that list them; a route finds its account by name, also above', () => {
    const routes = [
      {
        ...{ ...route, brands: ['VISA'], methods: ['CC'], currencies: ['EUR'] },
        ...{ amountFrom: '10.00 EUR', amountTo: '500 EUR', priority: 2, weight: 70 },
      },
    ];
    const nodes = nodesOf(seeded({ merchantAccounts: [account] }, { routes }));
    const id = derivedAccountId(merchantId, 'Acquirer A');
    const credentials = { key: { kind: 'reference', reference: 'secret:acquirer-a/key' } };
    expect(nodes.merchant?.merchantAccounts).toEqual([
      { id, ...account, endpoints: { LIVE: { ...endpoint, credentials } } },
    ]);
    expect(nodes.channel?.routes).toEqual([
      {
        ...{ id: derivedRouteId(nodes.channel!.id, 0), merchantAccountId: id, modes: ['LIVE'] },
        ...{ brands: ['VISA'], methods: ['CC'], currencies: ['EUR'], priority: 2, weight: 70 },
        amountFrom: { minor: 1_000n, currency: 'EUR' },
        amountTo: { minor: 50_000n, currency: 'EUR' },
      },
    ]);
  });

  it('may have ids of their own, and lead to an account that no file has', () => {
    const [own, theirs] = ['a'.repeat(32), 'b'.repeat(32)];
    const nodes = nodesOf(seeded({ routes: [{ ...route, id: own, merchantAccount: theirs }] }));
    expect(nodes.merchant?.routes).toMatchObject([
      { id: own, merchantAccountId: theirs, priority: 0, weight: 1 },
    ]);
  });

  it('take what was declined elsewhere only where it is said', () => {
    const said = [{ takesDeclined: true }, { takesDeclined: false }, {}];
    const routes = said.map((each) => ({ ...route, merchantAccount: 'b'.repeat(32), ...each }));
    const read = nodesOf(seeded({ routes })).merchant?.routes ?? [];
    expect(read[0]).toMatchObject({ takesDeclined: true });
    expect(read.slice(1).map((each) => 'takesDeclined' in each)).toEqual([false, false]);
  });

  it('of which nothing is said are left as they are, and an empty list takes them away', () => {
    const { merchant, channel } = nodesOf(seeded({ routes: [] }));
    expect(merchant).toMatchObject({ routes: [] });
    expect(merchant).not.toHaveProperty('merchantAccounts');
    expect(channel).not.toHaveProperty('routes');
  });

  it.each<[string, object, string]>([
    [
      'a secret in clear, which is not repeated',
      {
        merchantAccounts: [
          { ...account, endpoints: { LIVE: { ...endpoint, credentials: { key: 'hunter2' } } } },
        ],
      },
      'a credential must name a mounted secret, e.g. "secret:acquirer-a/key"; it is never said in clear',
    ],
    [
      'a sealed secret',
      {
        merchantAccounts: [
          { ...account, endpoints: { LIVE: { ...endpoint, credentials: { key: { key: 'x' } } } } },
        ],
      },
      'a credential must name a mounted secret, e.g. "secret:acquirer-a/key"; it is never said in clear',
    ],
    ['no endpoint', { merchantAccounts: [{ ...account, endpoints: {} }] }, 'needs an endpoint'],
    [
      'an endpoint for the simulator alone',
      { merchantAccounts: [{ ...account, endpoints: { INTERNAL: endpoint } }] },
      'it may have "EXTERNAL", "LIVE"',
    ],
    [
      'an unknown member',
      { merchantAccounts: [{ ...account, password: 'hunter2' }] },
      'a merchant account has no member "password"',
    ],
    ['a route to nowhere', { routes: [route] }, 'neither the node nor one above it'],
    [
      'a route without modes',
      { merchantAccounts: [account], routes: [{ merchantAccount: 'Acquirer A' }] },
      '"modes" must be a list',
    ],
    [
      'an unknown mode',
      { merchantAccounts: [account], routes: [{ ...route, modes: ['TEST'] }] },
      'the values of a condition',
    ],
    [
      'the name of a country in place of its code',
      { merchantAccounts: [account], routes: [{ ...route, binCountries: ['Germany'] }] },
      'the values of a condition',
    ],
    [
      'half a weight',
      { merchantAccounts: [account], routes: [{ ...route, weight: 0.5 }] },
      'a weight must be a whole number',
    ],
    [
      'a word where yes or no is asked',
      { merchantAccounts: [account], routes: [{ ...route, takesDeclined: 'yes' }] },
      '"takesDeclined" must be true or false',
    ],
    [
      'declined cards where no cards are taken',
      { merchantAccounts: [account], routes: [{ ...route, methods: ['DD'], takesDeclined: true }] },
      'the methods of the route have no "CC"',
    ],
    [
      'a weight in quotes',
      { merchantAccounts: [account], routes: [{ ...route, weight: '1' }] },
      '"weight" must be a number',
    ],
    [
      'an amount without currency',
      { merchantAccounts: [account], routes: [{ ...route, amountFrom: '10.00' }] },
      '"amountFrom" must be an amount above 0 like "10.00 EUR"',
    ],
    [
      'an id of another form',
      { merchantAccounts: [{ ...account, id: 'A' }] },
      'an id must be 32 lowercase hexadecimal digits',
    ],
  ])('are refused with %s', (_, members, reason) => {
    const said = reasonOf(seeded(members));
    expect(said).toContain(reason);
    expect(said).not.toContain('hunter2');
  });

  it('of another merchant lead nowhere', () => {
    const other = { name: 'Others', merchantAccounts: [account] };
    const file = {
      merchants: [other],
      channels: [
        { entityId: otherId, name: 'Shop', merchant: 'Books', accessTokens: ['token-of-16-char'] },
      ].map((channel) => ({ ...channel, routes: [route] })),
    };
    expect(reasonOf(parseSeed(JSON.stringify(file)))).toContain('neither the node nor one above');
  });
});

describe('the demo merchant', () => {
  it('has the simulator as an acquirer for testMode=EXTERNAL, of the right form', () => {
    const merchant = demoAccounts.find(({ kind }) => kind === 'merchant');
    expect(merchant).toMatchObject({
      ...{ merchantAccounts: [demoMerchantAccount], routes: [demoRoute] },
    });
    expect(merchantAccountFault(demoMerchantAccount)).toBeUndefined();
    expect(routeFault(demoRoute)).toBeUndefined();
  });
});
