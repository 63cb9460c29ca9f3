import { describe, expect, it } from '@jest/globals';
import {
  type AccessDirectory,
  type AccountNode,
  compatibilitySwitches,
  leniently,
  strictly,
} from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { accessIndex, channelAccess, mayUseSibling, resolveAccess } from './access.js';

const id = (digit: string) => digit.repeat(32) as EntityId;
const hash = (digit: string) => digit.repeat(64);
const node = (digit: string, kind: AccountNode['kind'], parent?: string): AccountNode => ({
  id: id(digit),
  kind,
  name: `${kind} ${digit}`,
  manualChargebacks: false,
  compatibility: {},
  ...(parent !== undefined && { parentId: id(parent) }),
});

const directory: AccessDirectory = {
  version: '1',
  nodes: [
    node('0', 'psp'),
    node('1', 'division', '0'),
    node('2', 'merchant', '1'),
    node('3', 'channel', '2'),
    node('4', 'channel', '2'),
    node('5', 'merchant', '1'),
    node('6', 'channel', '5'),
  ],
  credentials: [
    { hash: hash('a'), kind: 'accessToken', nodeId: id('3') },
    { hash: hash('b'), kind: 'accessToken', nodeId: id('2') },
    { hash: hash('c'), kind: 'accessToken', nodeId: id('0') },
    { hash: hash('d'), kind: 'legacy', nodeId: id('3') },
    { hash: hash('e'), kind: 'accessToken', nodeId: id('f') },
  ],
};
const index = accessIndex(directory);

const resolve = (
  digit: string,
  entity?: string,
  kind: 'accessToken' | 'legacy' = 'accessToken',
) => {
  const access = resolveAccess(index, { kind, hash: hash(digit) }, entity && id(entity));
  return access.kind === 'allowed'
    ? `${access.channel.name} of ${access.merchant.name}`
    : `${access.reason} ${access.code}`;
};

describe("a channel's token", () => {
  it('is good for its channel, named or not', () => {
    expect(resolve('a', '3')).toBe('channel 3 of merchant 2');
    expect(resolve('a')).toBe('channel 3 of merchant 2');
  });

  it.each(['0', '1', '2', '4', '6', '9'])(
    'is refused for entity %s, foreign or unknown',
    (entity) => {
      expect(resolve('a', entity)).toBe('entityRefused 800.900.100');
    },
  );
});

it('an entity that is named and empty is refused, also after none was named', () => {
  expect(resolve('a')).toBe('channel 3 of merchant 2');
  expect(resolveAccess(index, { kind: 'accessToken', hash: hash('a') }, '')).toMatchObject({
    reason: 'entityRefused',
  });
});

describe('a token higher up', () => {
  it('is good for every channel below', () => {
    expect(resolve('b', '3')).toBe('channel 3 of merchant 2');
    expect(resolve('b', '4')).toBe('channel 4 of merchant 2');
    expect(resolve('c', '6')).toBe('channel 6 of merchant 5');
  });

  it('is refused beside', () => {
    expect(resolve('b', '6')).toBe('entityRefused 800.900.100');
  });

  it('needs the entity', () => {
    expect(resolve('b')).toBe('entityMissing 200.300.404');
  });

  it('needs channel dispatching for a merchant, which no channel has yet', () => {
    expect(resolve('b', '2')).toBe('noDispatching 600.200.500');
  });

  it('is refused for a node that is neither channel nor merchant', () => {
    expect(resolve('c', '1')).toBe('entityRefused 800.900.100');
  });
});

describe('a token of several nodes (D-68)', () => {
  const several = (...owners: string[]) => {
    const entry = { hash: hash('f'), kind: 'accessToken' } as const;
    return accessIndex({
      ...directory,
      credentials: owners.map((owner) => ({ ...entry, nodeId: id(owner) })),
    });
  };
  const credential = { kind: 'accessToken', hash: hash('f') } as const;

  it('is good for each of them and all below, and for nothing else', () => {
    const both = several('3', '5');
    for (const entity of ['3', '6']) {
      expect(resolveAccess(both, credential, id(entity)).kind).toBe('allowed');
    }
    expect(resolveAccess(both, credential, id('4'))).toMatchObject({ reason: 'entityRefused' });
  });

  it('needs the entity, even where all of them are channels', () => {
    const refused = resolveAccess(several('3', '4'), credential, undefined);
    expect(refused).toMatchObject({ reason: 'entityMissing' });
  });

  it('acts for the nearest, whatever the order, so that a key means the same again', () => {
    for (const owners of [
      ['2', '3'],
      ['3', '2'],
    ]) {
      const resolved = resolveAccess(several(...owners), credential, id('3'));
      expect(resolved).toMatchObject({ kind: 'allowed', actor: id('3') });
    }
  });

  it('sees a sibling by any of them', () => {
    const both = several('3', '4');
    const resolved = resolveAccess(both, credential, id('3'));
    if (resolved.kind !== 'allowed') throw new Error('refused');
    expect(mayUseSibling(both, resolved, id('4'))).toBe(true);
    expect(mayUseSibling(both, resolved, id('6'))).toBe(false);
  });
});

describe('whether shoppers may delete what is stored', () => {
  const of = (said: Readonly<Record<string, boolean>>) => {
    const nodes = directory.nodes.map((each) => {
      const shoppersMayDelete = said[each.id.charAt(0)];
      return shoppersMayDelete === undefined ? each : { ...each, shoppersMayDelete };
    });
    const access = channelAccess(accessIndex({ ...directory, nodes }), id('3'), id('1'));
    return access?.shoppersMayDelete;
  };

  it('is what the nearest node says, and no unless one says so', () => {
    expect(of({})).toBe(false);
    expect(of({ '2': true })).toBe(true);
    expect(of({ '2': true, '3': false })).toBe(false);
    expect(of({ '3': true })).toBe(true);
  });
});

describe('registrations of the same account', () => {
  const of = (channel: string, chosen: Readonly<Record<string, 'new' | 'existing'>>) => {
    const nodes = directory.nodes.map((each) => {
      const registrations = chosen[each.id.charAt(0)];
      return registrations === undefined ? each : { ...each, registrations };
    });
    const credential = { kind: 'accessToken', hash: hash('c') } as const;
    const access = resolveAccess(accessIndex({ ...directory, nodes }), credential, id(channel));
    if (access.kind !== 'allowed') throw new Error('refused');
    return access.registrations;
  };

  it('are new ones where no node says anything', () => {
    expect(of('3', {})).toBe('new');
  });

  it('are what the nearest node says', () => {
    expect(of('3', { '1': 'existing' })).toBe('existing');
    expect(of('3', { '2': 'existing' })).toBe('existing');
    expect(of('6', { '2': 'existing' })).toBe('new');
    expect(of('3', { '2': 'existing', '3': 'new' })).toBe('new');
    expect(of('4', { '2': 'existing', '3': 'new' })).toBe('existing');
  });
});

describe('schemes of apps', () => {
  const of = (channel: string, registered: Readonly<Record<string, readonly string[]>>) => {
    const nodes = directory.nodes.map((each) => {
      const appSchemes = registered[each.id.charAt(0)];
      return appSchemes === undefined ? each : { ...each, appSchemes };
    });
    const credential = { kind: 'accessToken', hash: hash('c') } as const;
    const access = resolveAccess(accessIndex({ ...directory, nodes }), credential, id(channel));
    return access.kind === 'allowed' ? access.appSchemes : 'refused';
  };

  it('are those of the nearest node that has any to say', () => {
    expect(of('3', {})).toEqual([]);
    expect(of('3', { '2': ['com.shop.app'] })).toEqual(['com.shop.app']);
    expect(of('3', { '2': ['com.shop.app'], '3': [] })).toEqual([]);
    expect(of('6', { '2': ['com.shop.app'] })).toEqual([]);
  });
});

describe('compatibility switches', () => {
  const saying = (digit: string, compatibility: AccountNode['compatibility']) =>
    directory.nodes.map((each) => (each.id === id(digit) ? { ...each, compatibility } : each));
  const of = (nodes: readonly AccountNode[], channel: string, otherwise = strictly) => {
    const made = accessIndex({ ...directory, nodes }, otherwise);
    const access = resolveAccess(made, { kind: 'accessToken', hash: hash('c') }, id(channel));
    if (access.kind !== 'allowed') throw new Error('refused');
    return [...access.compatibility];
  };

  it('are off where no node says anything', () => {
    expect(of(directory.nodes, '3')).toEqual([]);
  });

  it.each(['0', '1', '2', '3'])(
    'of node %s hold for what is below, and nothing beside',
    (digit) => {
      const nodes = saying(digit, { ibanWithoutBic: true, limitBelow100: true });
      expect(of(nodes, '3')).toEqual(['ibanWithoutBic', 'limitBelow100']);
      expect(of(nodes, '6')).toEqual(digit < '2' ? ['ibanWithoutBic', 'limitBelow100'] : []);
    },
  );

  it('are what the lowest node says', () => {
    const above = saying('1', { ibanWithoutBic: true, limitBelow100: true });
    const nodes = above.map((each) =>
      each.id === id('3') ? { ...each, compatibility: { limitBelow100: false } } : each,
    );
    expect(of(nodes, '3')).toEqual(['ibanWithoutBic']);
    expect(of(nodes, '4')).toEqual(['ibanWithoutBic', 'limitBelow100']);
  });

  it('are all on in a lenient installation, but for those that a node turns off', () => {
    const nodes = saying('2', { shippingName: false });
    const all = compatibilitySwitches.map(({ name }) => name);
    expect(of(nodes, '6', leniently)).toEqual(all);
    expect(of(nodes, '3', leniently)).toEqual(all.filter((name) => name !== 'shippingName'));
  });
});

describe('an unknown credential', () => {
  it.each([
    ['a hash nobody has', '9', 'accessToken'],
    ['a legacy credential used as a token', 'd', 'accessToken'],
    ['a token used as a legacy credential', 'a', 'legacy'],
    ['a credential of a node that is gone', 'e', 'accessToken'],
  ] as const)('%s', (_, digit, kind) => {
    expect(resolve(digit, '3', kind)).toBe('credentialUnknown 800.900.300');
  });

  it('a hash cut short', () => {
    const credential = { kind: 'accessToken', hash: hash('a').slice(2) } as const;
    expect(resolveAccess(index, credential, id('3')).kind).toBe('refused');
  });
});

describe('a legacy credential', () => {
  it('is good for its channel', () => {
    expect(resolve('d', '3', 'legacy')).toBe('channel 3 of merchant 2');
  });
});

describe('resolveAccess', () => {
  it('names the owner of the credential as the actor', () => {
    const access = resolveAccess(index, { kind: 'accessToken', hash: hash('c') }, id('6'));
    expect(access).toMatchObject({ kind: 'allowed', actor: id('0') });
  });

  it('survives a loop of parents', () => {
    const loop = accessIndex({
      version: '2',
      nodes: [node('7', 'division', '8'), node('8', 'division', '7')],
      credentials: [{ hash: hash('a'), kind: 'accessToken', nodeId: id('0') }],
    });
    const credential = { kind: 'accessToken', hash: hash('a') } as const;
    expect(resolveAccess(loop, credential, id('7')).kind).toBe('refused');
  });

  it('treats names of the prototype as unknown', () => {
    const credential = { kind: 'accessToken', hash: 'constructor' } as const;
    expect(resolveAccess(index, credential, '__proto__').kind).toBe('refused');
    const known = { kind: 'accessToken', hash: hash('b') } as const;
    expect(resolveAccess(index, known, '__proto__')).toMatchObject({ code: '800.900.100' });
  });
});

describe('mayUseSibling', () => {
  const access = (digit: string, entity: string) => {
    const resolved = resolveAccess(index, { kind: 'accessToken', hash: hash(digit) }, id(entity));
    if (resolved.kind !== 'allowed') {
      throw new Error('refused');
    }
    return resolved;
  };

  it('is true for another channel of the same merchant below the same token', () => {
    expect(mayUseSibling(index, access('b', '3'), id('4'))).toBe(true);
  });

  it('is false for the own channel, another merchant, and out of the reach of the token', () => {
    expect(mayUseSibling(index, access('b', '3'), id('3'))).toBe(false);
    expect(mayUseSibling(index, access('c', '3'), id('6'))).toBe(false);
    expect(mayUseSibling(index, access('a', '3'), id('4'))).toBe(false);
    expect(mayUseSibling(index, access('b', '3'), id('2'))).toBe(false);
  });
});
