import { describe, expect, it } from '@jest/globals';
import type { EntityId } from '@sluice/identifiers';
import { ENTITY } from './notification-fixture.js';
import { collects, isToldOf, sends, testedUrlOf } from './subscription.js';
import { refusalOf } from './subscription-decider.js';
import {
  add,
  after,
  by,
  change,
  disable,
  eventsOf,
  HERE,
  namesOf,
  please,
  test,
  THERE,
} from './subscription-fixture.js';

const active = [add(), test(204)] as const;
const MERCHANT = 'b'.repeat(32) as EntityId;

describe('a subscription', () => {
  it('is added once, with who did it, and is told nothing before a test', () => {
    const [event, ...others] = eventsOf(add(), add({ url: THERE }));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'SubscriptionAdded', metadata: by('operator-1') });
    const state = after(add());
    expect(state).toMatchObject({ standing: 'untested', url: HERE, nodeId: ENTITY });
    expect([collects(state), sends(state)]).toEqual([false, false]);
  });

  it.each([200, 201, 204, 299])(
    'is active once its receiver has answered a test with %d',
    (code) => {
      const state = after(add(), test(code));
      expect(state).toMatchObject({ standing: 'active', url: HERE });
      expect([collects(state), sends(state)]).toEqual([true, true]);
    },
  );

  it.each([0, 199, 301, 302, 308, 400, 401, 410, 500, 503])(
    'stays inactive after a test that was answered with %d, which is recorded',
    (code) => {
      expect(eventsOf(add(), test(code)).at(-1)).toMatchObject({
        type: 'SubscriptionTested',
        data: { statusCode: code, isAcknowledged: false },
      });
      expect(after(add(), test(code)).standing).toBe('untested');
    },
  );

  it('stays active where a later test fails', () => {
    expect(after(...active, test(500)).standing).toBe('active');
  });

  it('is active at once where the installation trusts it, and the events say so', () => {
    const trusting = add({ isTrusted: true });
    expect(namesOf(trusting)).toEqual(['SubscriptionAdded', 'SubscriptionTrusted']);
    expect(after(trusting).standing).toBe('active');
  });

  it('is of some type, and of each once', () => {
    expect(refusalOf(add({ types: [] }), undefined)).toBe('noTypes');
    expect(namesOf(add({ types: [] }))).toEqual([]);
    expect(after(add({ types: ['RISK', 'RISK'] })).types).toEqual(['RISK']);
  });
});

describe('what a subscription is told of', () => {
  const happening = { type: 'PAYMENT', nodes: [MERCHANT, ENTITY] } as const;

  it('happened at its node or below, and is of its types', () => {
    expect(isToldOf(after(...active), happening)).toBe(true);
    expect(isToldOf(after(...active), { ...happening, nodes: [MERCHANT] })).toBe(false);
    expect(isToldOf(after(...active), { ...happening, type: 'SCHEDULE' })).toBe(false);
  });

  it('waits while it is paused, and is forgotten while it is inactive', () => {
    expect(isToldOf(after(...active, please('PauseSubscription')), happening)).toBe(true);
    expect(isToldOf(after(add()), happening)).toBe(false);
    expect(isToldOf(after(...active, disable()), happening)).toBe(false);
    expect(isToldOf(after(...active, please('RemoveSubscription')), happening)).toBe(false);
  });
});

describe('a change', () => {
  it('holds at once, is recorded with who did it, and names only what differs', () => {
    const changing = change({
      fields: 'NON_CUSTOMER_DATA',
      wrapper: 'none',
      alertEmails: 'sealed',
    });
    expect(eventsOf(...active, changing).at(-1)).toEqual({
      type: 'SubscriptionChanged',
      data: {
        subscriptionId: 'a'.repeat(32),
        ...{ fields: 'NON_CUSTOMER_DATA', alertEmails: 'sealed' },
      },
      metadata: by('operator-2'),
    });
    expect(after(...active, changing)).toMatchObject({
      ...{ standing: 'active', fields: 'NON_CUSTOMER_DATA', wrapper: 'none' },
      alertEmails: 'sealed',
    });
  });

  it('of nothing is none', () => {
    const same = change({
      url: HERE,
      types: ['RISK', 'PAYMENT'],
      wrapper: 'none',
      alertEmails: '',
    });
    expect(namesOf(...active, same)).toEqual(namesOf(...active));
  });

  it('leaves some type', () => {
    expect(refusalOf(change({ types: [] }), after(...active))).toBe('noTypes');
    expect(after(...active, change({ types: ['SCHEDULE'] })).types).toEqual(['SCHEDULE']);
  });

  it('of the address waits for its test, and the receiver before it is called until then', () => {
    const moving = after(...active, change({ url: THERE }));
    expect(moving).toMatchObject({ standing: 'active', url: HERE, awaitedUrl: THERE });
    expect(testedUrlOf(moving)).toBe(THERE);
    const failed = after(...active, change({ url: THERE }), test(500, THERE));
    expect(failed).toMatchObject({ url: HERE, awaitedUrl: THERE });
    const moved = after(...active, change({ url: THERE }), test(200, THERE));
    expect(moved).toMatchObject({ standing: 'active', url: THERE });
    expect(moved).not.toHaveProperty('awaitedUrl');
  });

  it('of the address is taken back by the address before', () => {
    const back = after(...active, change({ url: THERE }), change({ url: HERE }));
    expect(back).toMatchObject({ standing: 'active', url: HERE });
    expect(back).not.toHaveProperty('awaitedUrl');
  });

  it('of the address makes a test of the one before say nothing', () => {
    const commands = [add(), change({ url: THERE }), test(200, HERE)];
    expect(namesOf(...commands)).not.toContain('SubscriptionTested');
    expect(after(...commands)).toMatchObject({ standing: 'untested', url: THERE });
  });

  it('of the address holds at once where the installation trusts it', () => {
    expect(after(...active, change({ url: THERE }, true)).url).toBe(THERE);
    expect(namesOf(...active, change({ wrapper: 'JSON' }, true)).at(-1)).toBe(
      'SubscriptionChanged',
    );
  });
});

describe('a pause', () => {
  const paused = [...active, please('PauseSubscription')];

  it('keeps what comes, and sends nothing until its end', () => {
    expect([collects(after(...paused)), sends(after(...paused))]).toEqual([true, false]);
    expect(after(...paused, please('ResumeSubscription')).standing).toBe('active');
  });

  it('outlasts a test, and a new address that answers one', () => {
    const moved = after(...paused, change({ url: THERE }), test(200, THERE));
    expect(moved).toMatchObject({ standing: 'paused', url: THERE });
  });

  it('is made once, and of what is active', () => {
    expect(namesOf(...paused, please('PauseSubscription'))).toEqual(namesOf(...paused));
    expect(namesOf(...active, please('ResumeSubscription'))).toEqual(namesOf(...active));
    for (const type of ['PauseSubscription', 'ResumeSubscription'] as const) {
      expect(refusalOf(please(type), after(add()))).toBe('needsTest');
      expect(refusalOf(please(type), after(...active, disable()))).toBe('needsTest');
    }
  });
});

describe('a disabled subscription', () => {
  it('says why, and who wanted it', () => {
    const gone = disable({ reason: 'gone', url: HERE, metadata: by('receiver') });
    expect(eventsOf(...active, gone).at(-1)).toMatchObject({
      ...{ type: 'SubscriptionDisabled', data: { reason: 'gone' }, metadata: by('receiver') },
    });
    expect(after(...active, gone)).toMatchObject({
      ...{ standing: 'disabled', disabledBecause: 'gone' },
    });
    expect(namesOf(...active, gone, disable())).toEqual(namesOf(...active, gone));
  });

  it('is not disabled by an address that it does not have any more', () => {
    const moved = [...active, change({ url: THERE }), test(200, THERE)];
    expect(after(...moved, disable({ reason: 'gone', url: HERE })).standing).toBe('active');
  });

  it('is active again after a test, of the address that was wanted last', () => {
    const disabled = [...active, change({ url: THERE }), disable()];
    expect(after(...disabled, test(500, THERE)).standing).toBe('disabled');
    const enabled = after(...disabled, test(200, THERE));
    expect(enabled).toMatchObject({ standing: 'active', url: THERE });
    expect(enabled).not.toHaveProperty('disabledBecause');
  });
});

describe('a removed subscription', () => {
  const removed = [...active, please('RemoveSubscription')];

  it('is as if there were none', () => {
    expect(after(...removed).standing).toBe('removed');
    const others = [test(200), change({ wrapper: 'JSON' }), please('PauseSubscription'), disable()];
    for (const command of others) {
      expect(refusalOf(command, after(...removed))).toBe('unknown');
      expect(refusalOf(command, undefined)).toBe('unknown');
      expect(namesOf(...removed, command)).toEqual(namesOf(...removed));
    }
  });

  it('is removed once, and never added again', () => {
    expect(refusalOf(please('RemoveSubscription'), after(...removed))).toBeUndefined();
    expect(refusalOf(please('RemoveSubscription'), undefined)).toBe('unknown');
    expect(namesOf(...removed, please('RemoveSubscription'), add())).toEqual(namesOf(...removed));
  });
});
