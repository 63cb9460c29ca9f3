import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mode } from '@sluice/contracts';
import { bearer, call, type Parameters, post } from './http-client.js';
import { entityId, registered, ScriptedEdge } from './scripted-edge.js';
import { ID, money } from './stored-card.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

/** Every place where a payment by registration can be sent to. */
const places: readonly (readonly [string, Parameters])[] = [
  [`registrations/${ID}/payments`, {}],
  [`payments/${ID}`, {}],
  ['payments', { registrationId: ID }],
];

const pay = ([path, named]: (typeof places)[number], more: Parameters) =>
  post(`${edge.url}/v1/${path}`, { ...money, ...named, ...more });
const isIn = (mode: Mode): void => {
  edge.script.registered = (query) => registered(query, { mode });
};

describe('a payment by registration, in its mode (D-64)', () => {
  it.each(places)('at %s is in that of the registration if it says none', async (...place) => {
    isIn('EXTERNAL');
    await pay(place, {});
    expect(edge.command.data.context).toMatchObject({ mode: 'EXTERNAL' });
    expect(edge.command.data).not.toHaveProperty('rejection');
  });

  it.each(places)('at %s may say the same', async (...place) => {
    for (const mode of ['INTERNAL', 'EXTERNAL'] as const) {
      isIn(mode);
      await pay(place, { testMode: mode });
      expect(edge.command.data.context).toMatchObject({ mode });
      expect(edge.command.data).not.toHaveProperty('rejection');
    }
  });

  it.each(places)('at %s is refused and recorded if it says another', async (...place) => {
    for (const [stored, testMode] of [
      ['EXTERNAL', 'INTERNAL'],
      ['INTERNAL', 'EXTERNAL'],
    ] as const) {
      isIn(stored);
      const { status, body } = await pay(place, { testMode });
      expect([status, body.result.code]).toEqual([400, '700.100.600']);
      expect(edge.command.data).toMatchObject({ rejection: '700.100.600' });
      expect(JSON.stringify(edge.command)).not.toContain('kept.');
    }
  });

  it('charges nothing real on a test installation', async () => {
    isIn('LIVE');
    expect((await pay(['payments', { registrationId: ID }], {})).body.result.code).toBe(
      '700.100.600',
    );
    expect(edge.command.data.context).toMatchObject({ mode: 'INTERNAL' });
  });
});

describe('what is done to a registration, in its mode (D-64)', () => {
  const ask = (method: string, path: string, more: Parameters) =>
    call(`${edge.url}/v1/registrations/${ID}${path}`, {
      ...{ method, headers: bearer },
      body: new URLSearchParams({ entityId, ...more } as Record<string, string>),
    });

  it.each([
    ['DELETE', '', {}],
    ['POST', '/extendlife', {}],
    ['POST', '', { 'billing.city': 'Berlin' }],
  ])('%s%s tells registrations a mode only if it says one', async (method, path, more) => {
    isIn('EXTERNAL');
    await ask(method, path, more);
    await ask(method, path, { ...more, testMode: 'INTERNAL' });
    const [none, said] = edge.registrations.map(({ data }) => data.context);
    expect(none).not.toHaveProperty('mode');
    expect(said).toMatchObject({ mode: 'INTERNAL' });
  });
});
