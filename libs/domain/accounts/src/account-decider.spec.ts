import { describe, expect, it } from '@jest/globals';
import type { AccountNode, AuthenticationSettings } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { deciderSpec } from '@sluice/testing';
import { accountDecider, type Credential } from './account-decider.js';
import type { AccountEvent } from './account-events.js';

const { given } = deciderSpec(accountDecider);
const nodeId = '8a8294174b7ecb28014b9699220015ca' as EntityId;
const parentId = '8a8294174b7ecb28014b9699220015cb' as EntityId;
const metadata = { recordedAtMs: 0, actor: 'seed', correlationId: 'c', causationId: 'c' };
const terms = { name: 'Shop', parentId, manualChargebacks: true, compatibility: {} };
const shop: AccountNode = { id: nodeId, kind: 'channel', ...terms };
const token = (digit: string): Credential => ({ kind: 'accessToken', hash: digit.repeat(64) });
const place = (node: AccountNode, credentials?: readonly Credential[]) =>
  ({ type: 'PlaceNode', node, metadata, ...(credentials && { credentials }) }) as const;
const requestor = {
  ...{ requestorId: 'R-1', requestorName: 'Books Ltd', acquirerBin: '400000' },
  acquirerMerchantId: 'M-1',
};
const threeDSecure: AuthenticationSettings = {
  ...({ authenticates: 'onDemand', goesOnWith: ['Y', 'A'] } as const),
  ...{ merchantName: 'Books', merchantCountry: 'DE', merchantCategoryCode: '5942' },
  ...{ merchantUrl: 'https://shop.example', requestors: { visa: requestor, jcb: requestor } },
};
const grantOf = (credential: Credential): AccountEvent => ({
  type: 'CredentialGranted',
  data: { nodeId, credential },
  metadata,
});
const revocationOf = (credential: Credential): AccountEvent => ({
  type: 'CredentialRevoked',
  data: { nodeId, credential },
  metadata,
});
const granted = (digit: string): AccountEvent => grantOf(token(digit));
const revoked = (digit: string): AccountEvent => revocationOf(token(digit));
const added = {
  type: 'NodeAdded',
  data: { nodeId, kind: 'channel', ...terms },
  metadata,
} satisfies AccountEvent;

describe('a node that is not there', () => {
  it('is added with what opens it', () => {
    given([])
      .when(place(shop, [token('a'), token('b')]))
      .then([added, granted('a'), granted('b')]);
  });

  it('is added without anything where others only stand under it', () => {
    given([]).when(place(shop)).then([added]);
  });

  it('has nothing to revoke', () => {
    given([])
      .when({ type: 'RevokeCredentials', credentials: [token('a')], metadata })
      .thenNothingHappened();
  });
});

describe('a node that is there', () => {
  const before = [added, granted('a')];

  it('is left alone by the same again', () => {
    given(before)
      .when(place({ ...shop }, [token('a')]))
      .thenNothingHappened();
  });

  it('is left alone where others only stand under it', () => {
    given(before)
      .when(place({ ...shop, name: 'Implied' }))
      .thenNothingHappened();
  });

  it('has exactly the credentials that are said', () => {
    given(before)
      .when(place(shop, [token('b')]))
      .then([revoked('a'), granted('b')]);
  });

  it.each<[string, Partial<AccountNode>]>([
    ['name', { name: 'New' }],
    ['place', { parentId: '8a8294174b7ecb28014b9699220015cc' as EntityId }],
    ['permission', { manualChargebacks: false }],
    ['switches', { compatibility: { limitBelow100: true } }],
    ['choice of registrations', { registrations: 'existing' }],
    ['word on deletions', { shoppersMayDelete: true }],
    ['list of schemes', { appSchemes: ['com.shop.app'] }],
    ['word on 3-D Secure', { threeDSecure }],
  ])('is changed by another %s, as a whole', (_, change) => {
    given(before)
      .when(place({ ...shop, ...change }, [token('a')]))
      .then([{ type: 'NodeChanged', data: { nodeId, ...terms, ...change }, metadata }]);
  });

  it('is not changed by its switches in another order', () => {
    const compatibility = { limitBelow100: true, shippingName: false };
    const turned = { shippingName: false, limitBelow100: true };
    given([{ type: 'NodeAdded', data: { ...added.data, compatibility }, metadata }])
      .when(place({ ...shop, compatibility: turned }, []))
      .thenNothingHappened();
  });

  describe('with 3-D Secure', () => {
    const secured: AccountEvent = {
      ...{ type: 'NodeAdded', metadata },
      data: { ...added.data, threeDSecure },
    };

    it('is not changed by the same in another order', () => {
      const { requestors, ...others } = threeDSecure;
      const turned = { requestors: { jcb: requestor, visa: requestor }, ...others };
      given([secured])
        .when(place({ ...shop, threeDSecure: turned }, []))
        .thenNothingHappened();
    });

    it.each<[string, Partial<AuthenticationSettings>]>([
      ['authenticates at other times', { authenticates: 'always' }],
      ['goes on with others', { goesOnWith: ['Y'] }],
      ['has another name', { merchantName: 'Shoes' }],
      ['has another network', { requestors: { ...threeDSecure.requestors, amex: requestor } }],
      ['has another acquirer', { requestors: { visa: { ...requestor, acquirerBin: '400001' } } }],
    ])('is changed when it %s', (_, change) => {
      const changed = { ...threeDSecure, ...change };
      given([secured])
        .when(place({ ...shop, threeDSecure: changed }, []))
        .then([
          { type: 'NodeChanged', data: { nodeId, ...terms, threeDSecure: changed }, metadata },
        ]);
    });

    it('is changed when nothing is said of it any more', () => {
      given([secured])
        .when(place(shop, []))
        .then([{ type: 'NodeChanged', data: { nodeId, ...terms }, metadata }]);
    });
  });

  it('never becomes one of another kind', () => {
    given(before)
      .when(place({ ...shop, kind: 'merchant' }, []))
      .thenThrows(/is a channel/);
  });

  it('loses of its credentials those that are revoked', () => {
    given([...before, granted('b')])
      .when({ type: 'RevokeCredentials', credentials: [token('b'), token('c')], metadata })
      .then([revoked('b')]);
  });

  it('has a token and a user with the same hash as two, of which one is revoked alone', () => {
    const user: Credential = { ...token('a'), kind: 'legacy' };
    given(before)
      .when(place(shop, [user]))
      .then([revoked('a'), grantOf(user)]);
    given([...before, grantOf(user)])
      .when({ type: 'RevokeCredentials', credentials: [user], metadata })
      .then([revocationOf(user)]);
    const { evolve, initialState } = accountDecider;
    const state = [...before, grantOf(user), revocationOf(user)].reduce(evolve, initialState);
    expect(state?.credentials).toEqual([token('a')]);
  });

  it('is after its events what they say', () => {
    const { evolve, initialState } = accountDecider;
    const renamed: AccountEvent = {
      ...{ type: 'NodeChanged', metadata },
      data: { nodeId, ...terms, name: 'New' },
    };
    const state = [...before, granted('b'), revoked('a'), renamed].reduce(evolve, initialState);
    expect(state).toEqual({
      ...{ node: { ...shop, name: 'New' }, credentials: [token('b')] },
      ...{ merchantAccounts: [], routes: [], acquirerIds: [] },
    });
  });
});

describe('a stream that says something of a node before it is added', () => {
  const { evolve, initialState } = accountDecider;
  const changed: AccountEvent = { type: 'NodeChanged', data: { nodeId, ...terms }, metadata };

  it.each([changed, granted('a'), revoked('a')])('is a defect: $type', (event) => {
    expect(() => evolve(initialState, event)).toThrow(`No node ${nodeId} in its own stream`);
  });
});
