import { describe, expect, it } from '@jest/globals';
import type { Endpoint, MerchantAccount, Route } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { deciderSpec } from '@sluice/testing';
import { accountDecider, type AccountState } from './account-decider.js';
import { type AccountEvent, accountEventCodec } from './account-events.js';
import type { RoutingCommand } from './routing-commands.js';
import { MERCHANT_ACCOUNTS_MAX, ROUTES_MAX, routingRefusal } from './routing-decisions.js';
import { accountId, endpoint, merchantAccount, route, routeId } from './routing-fixture.js';

const { given } = deciderSpec(accountDecider);
const nodeId = '8a8294174b7ecb28014b9699220015ca' as EntityId;
const metadata = { recordedAtMs: 0, actor: 'operator', correlationId: 'c', causationId: 'c' };
const none = { accountsElsewhere: [], idsElsewhere: [], routesBelow: [] };

const configureAccount = (
  changes: Partial<MerchantAccount> = {},
  others: Partial<Extract<RoutingCommand, { type: 'ConfigureMerchantAccount' }>> = {},
): RoutingCommand => ({
  ...{ type: 'ConfigureMerchantAccount', merchantAccount: { ...merchantAccount, ...changes } },
  ...{ ...none, metadata, ...others },
});
const removeAccount = (routesBelow: readonly Route[] = []): RoutingCommand => ({
  ...{ type: 'RemoveMerchantAccount', merchantAccountId: accountId('a'), routesBelow, metadata },
});
const configureRoute = (
  changes: Partial<Route> = {},
  accountsAbove: readonly MerchantAccount[] = [],
): RoutingCommand => ({
  ...{ type: 'ConfigureRoute', route: { ...route, ...changes }, accountsAbove, metadata },
});
const removeRoute = (digit = '1'): RoutingCommand => ({
  ...{ type: 'RemoveRoute', routeId: routeId(digit), metadata },
});

const added: AccountEvent = {
  type: 'NodeAdded',
  data: { nodeId, kind: 'merchant', name: 'M', manualChargebacks: false, compatibility: {} },
  metadata,
};
const accountConfigured = (account: MerchantAccount = merchantAccount): AccountEvent => {
  const { id: merchantAccountId, ...terms } = account;
  return {
    type: 'MerchantAccountConfigured',
    data: { nodeId, merchantAccountId, ...terms },
    metadata,
  };
};
const routeConfigured = (configured: Route = route): AccountEvent => {
  const { id, ...terms } = configured;
  return { type: 'RouteConfigured', data: { nodeId, routeId: id, ...terms }, metadata };
};
const accountRemoved: AccountEvent = {
  ...{ type: 'MerchantAccountRemoved', data: { nodeId, merchantAccountId: accountId('a') } },
  metadata,
};
const routeRemoved: AccountEvent = {
  ...{ type: 'RouteRemoved', data: { nodeId, routeId: routeId('1') } },
  metadata,
};

const after = (...events: readonly AccountEvent[]): AccountState =>
  events.reduce(accountDecider.evolve, accountDecider.initialState);

/** A refused command is named as such, and records nothing. */
function refused(events: readonly AccountEvent[], command: RoutingCommand, reason: string): void {
  expect(routingRefusal(command, after(...events))).toBe(reason);
  given(events).when(command).thenNothingHappened();
}

/** A command that is not refused, with what it records. */
function recorded(
  events: readonly AccountEvent[],
  command: RoutingCommand,
  expected: readonly AccountEvent[],
): void {
  expect(routingRefusal(command, after(...events))).toBeUndefined();
  given(events).when(command).then(expected);
}

describe('a node that is not there', () => {
  it.each([configureAccount(), removeAccount(), configureRoute(), removeRoute()])(
    'takes no $type',
    (command) => {
      refused([], command, 'unknownNode');
    },
  );
});

describe('a node without merchant accounts', () => {
  it('gets one, with all that was said of it', () => {
    recorded([added], configureAccount(), [accountConfigured()]);
  });

  it('gets none that is malformed', () => {
    refused([added], configureAccount({ endpoints: {} }), 'noEndpoint');
  });

  it('gets none with the id of one that another node has', () => {
    refused([added], configureAccount({}, { accountsElsewhere: [merchantAccount] }), 'idTaken');
  });

  it('has none to remove, and no route', () => {
    refused([added], removeAccount(), 'unknownMerchantAccount');
    refused([added], removeRoute(), 'unknownRoute');
  });

  it('gets a route to an account of a node above, and to no other', () => {
    recorded([added], configureRoute({}, [merchantAccount]), [routeConfigured()]);
    refused([added], configureRoute(), 'unknownMerchantAccount');
  });
});

it('a route that was recorded when any brand was taken is still there', () => {
  const older = { ...route, brands: ['MASTERCARD'], methods: ['XX'], binCountries: ['UK'] };
  const events = [added, accountConfigured(), routeConfigured(older)];
  expect(after(...events)?.routes).toEqual([older]);
});

describe('a node with a merchant account', () => {
  const before = [added, accountConfigured()];

  it('keeps its connector, whose acquirer has its payments', () => {
    refused(before, configureAccount({ connector: 'other' }), 'otherConnector');
  });

  it.each<readonly [string, Partial<Endpoint>, string | undefined]>([
    ['another merchant id', { acquirerMerchantId: 'M-4712' }, 'otherMerchantId'],
    ['another acquirer id', { settings: { acquirerId: '22' } }, 'otherMerchantId'],
    ['no acquirer id any more', { settings: {} }, 'otherMerchantId'],
    ['another address', { address: 'https://new.example' }, undefined],
    ['other settings', { settings: { acquirerId: '11', terminals: 'T2' } }, undefined],
    ['other credentials', { credentials: {} }, undefined],
  ])('with %s at an endpoint that it has: %j is %s', (_case, changes, reason) => {
    const known: Endpoint = { ...endpoint, settings: { acquirerId: '11' } };
    const endpoints = { LIVE: known, EXTERNAL: known };
    const events = [added, accountConfigured({ ...merchantAccount, endpoints })];
    const changed = { ...endpoints, EXTERNAL: { ...known, ...changes } };
    const command = configureAccount({ endpoints: changed });
    if (reason !== undefined) return refused(events, command, reason);
    return recorded(events, command, [
      accountConfigured({ ...merchantAccount, endpoints: changed }),
    ]);
  });

  it.each<readonly [string, readonly AccountEvent[]]>([
    [
      'whose endpoint went and comes back',
      [accountConfigured({ ...merchantAccount, endpoints: { EXTERNAL: endpoint } })],
    ],
    ['that was removed and is made again', [accountRemoved]],
    [
      'that was removed, was made again and loses an endpoint',
      [
        ...[accountRemoved, accountConfigured()],
        accountConfigured({ ...merchantAccount, endpoints: { EXTERNAL: endpoint } }),
      ],
    ],
  ])('keeps the ids of one %s', (_, meanwhile) => {
    const events = [...before, ...meanwhile];
    const other = { ...endpoint, acquirerMerchantId: 'M-4712' };
    const changed = configureAccount({ endpoints: { LIVE: other, EXTERNAL: endpoint } });
    refused(events, changed, 'otherMerchantId');
    refused(events, configureAccount({ connector: 'other' }), 'otherConnector');
    recorded(events, configureAccount(), [accountConfigured()]);
  });

  it('does not give its id to one of another node with other ids, once it is removed', () => {
    const idsElsewhere = after(...before, accountRemoved)?.acquirerIds ?? [];
    const other = { ...endpoint, acquirerMerchantId: 'M-4712' };
    const moved = configureAccount({ endpoints: { LIVE: other } }, { idsElsewhere });
    refused([added], moved, 'otherMerchantId');
    recorded([added], configureAccount({}, { idsElsewhere }), [accountConfigured()]);
  });

  it('gets an endpoint for the other mode, where it is another merchant', () => {
    const liveOnly = accountConfigured({ ...merchantAccount, endpoints: { LIVE: endpoint } });
    const endpoints = { LIVE: endpoint, EXTERNAL: { ...endpoint, acquirerMerchantId: 'TEST-1' } };
    recorded([added, liveOnly], configureAccount({ endpoints }), [
      accountConfigured({ ...merchantAccount, endpoints }),
    ]);
  });

  it('is left alone by the same again, whatever the order of its fields', () => {
    const turned = Object.fromEntries(Object.entries(merchantAccount).reverse());
    recorded(before, configureAccount(turned), []);
  });

  it('has another name for it once that is said', () => {
    const renamed = { ...merchantAccount, name: 'Acquirer B' };
    recorded(before, configureAccount(renamed), [accountConfigured(renamed)]);
  });

  it('loses it', () => {
    recorded(before, removeAccount(), [accountRemoved]);
    expect(after(...before, accountRemoved)?.merchantAccounts).toEqual([]);
  });

  it('keeps it while a node below has a route to it', () => {
    refused(before, removeAccount([route]), 'inUse');
    recorded(before, removeAccount([{ ...route, merchantAccountId: accountId('b') }]), [
      accountRemoved,
    ]);
  });

  it('gets a route to it', () => {
    recorded(before, configureRoute(), [routeConfigured()]);
  });

  it('gets no route that is malformed', () => {
    refused(before, configureRoute({ weight: 0 }), 'malformedWeight');
  });

  it('gets no route in a mode in which nobody could be called', () => {
    const liveOnly = accountConfigured({ ...merchantAccount, endpoints: { LIVE: endpoint } });
    refused([added, liveOnly], configureRoute({ modes: ['EXTERNAL'] }), 'endpointMissing');
    recorded([added, liveOnly], configureRoute({ modes: ['LIVE', 'INTERNAL'] }), [
      routeConfigured({ ...route, modes: ['LIVE', 'INTERNAL'] }),
    ]);
  });

  it('takes a limited number of them', () => {
    const others = Array.from({ length: MERCHANT_ACCOUNTS_MAX - 1 }, (_, number) =>
      accountConfigured({
        ...merchantAccount,
        id: number.toString(16).padStart(32, '0') as MerchantAccount['id'],
      }),
    );
    const full = [...before, ...others];
    refused(full, configureAccount({ id: accountId('b') }), 'tooManyMerchantAccounts');
    recorded(full, configureAccount({ name: 'New' }), [
      accountConfigured({ ...merchantAccount, name: 'New' }),
    ]);
    recorded(full.slice(0, -1), configureAccount({ id: accountId('b') }), [
      accountConfigured({ ...merchantAccount, id: accountId('b') }),
    ]);
  });
});

describe('a node with a route', () => {
  const before = [added, accountConfigured(), routeConfigured()];

  it('is left alone by the same again', () => {
    recorded(before, configureRoute(), []);
  });

  it('has it changed as a whole: a condition that is not said any more is gone', () => {
    const { brands: _, ...wider } = route;
    const command: RoutingCommand = { ...configureRoute(), route: wider } as RoutingCommand;
    recorded(before, command, [routeConfigured(wider)]);
    expect(after(...before, routeConfigured(wider))?.routes).toEqual([wider]);
  });

  it('loses it', () => {
    recorded(before, removeRoute(), [routeRemoved]);
    expect(after(...before, routeRemoved)?.routes).toEqual([]);
  });

  it('keeps the account that it leads to, and the endpoints that it needs', () => {
    refused(before, removeAccount(), 'inUse');
    refused(before, configureAccount({ endpoints: { LIVE: endpoint } }), 'inUse');
    recorded([...before, routeRemoved], removeAccount(), [accountRemoved]);
  });

  it('keeps the endpoints that routes below need', () => {
    const liveOnly = { endpoints: { LIVE: endpoint } };
    const routesBelow = [route];
    refused([added, accountConfigured()], configureAccount(liveOnly, { routesBelow }), 'inUse');
  });

  it('takes a limited number of them', () => {
    const others = Array.from({ length: ROUTES_MAX - 1 }, (_, number) =>
      routeConfigured({ ...route, id: number.toString(16).padStart(32, '0') as Route['id'] }),
    );
    const full = [...before, ...others];
    refused(full, configureRoute({ id: routeId('2') }), 'tooManyRoutes');
    recorded(full, configureRoute({ weight: 3 }), [routeConfigured({ ...route, weight: 3 })]);
  });

  it('is after its events what they say, also when the store gives them back', () => {
    const second = { ...route, id: routeId('2') };
    const events = [...before, routeConfigured(second), routeConfigured({ ...route, weight: 3 })];
    const state = {
      node: { ...added.data, id: nodeId, nodeId: undefined },
      ...{ credentials: [], merchantAccounts: [merchantAccount] },
      routes: [{ ...route, weight: 3 }, second],
      acquirerIds: [
        {
          ...{ id: merchantAccount.id, connector: 'platform' },
          byMode: {
            LIVE: { acquirerMerchantId: 'M-4711' },
            EXTERNAL: { acquirerMerchantId: 'M-4711' },
          },
        },
      ],
    };
    expect(after(...events)).toEqual(state);
    expect(after(...events.map(stored))).toEqual(state);
  });
});

function stored(event: AccountEvent): AccountEvent {
  const { data, metadata: about, ...encoded } = accountEventCodec.encode(event);
  const parsed = { data: JSON.parse(data) as unknown, metadata: JSON.parse(about) as unknown };
  return accountEventCodec.decode({ ...encoded, ...parsed });
}
