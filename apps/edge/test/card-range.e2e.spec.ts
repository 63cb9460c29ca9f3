import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { call, formText, type Parameters, type Received } from './http-client.js';
import { buildNumber, entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start({ refusalsPerSecond: 0 });
});
afterAll(() => edge.close());

let id: CheckoutId;
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  const made = id;
  edge.script.toComplete = ({ checkoutId }) =>
    checkoutId === made
      ? {
          ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
          parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
        }
      : undefined;
});

const range = (fields: Parameters, query = '', of: string = id): Promise<Received> =>
  call(`${edge.url}/v1/checkouts/${of}/card-range${query}`, {
    ...{ method: 'POST', body: formText(fields) },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const namesOf = ({ body }: Received) => body.result.parameterErrors?.map(({ name }) => name);

describe('the first digits of a card', () => {
  it('say its brands, country and type, and nothing of the issuer', async () => {
    const { status, body } = await range({ 'card.range': '51051051' });
    expect([status, body]).toEqual([
      200,
      {
        ...{ brands: ['MASTER', 'CARTEBANCAIRE'], country: 'FR', type: 'PREPAID' },
        result: { code: '000.000.100', description: expect.any(String) },
        ...{ ndc: id, buildNumber, timestamp: expect.any(String) },
      },
    ]);
  });

  it('say no brand where the table has none', async () => {
    expect((await range({ 'card.range': '499999' })).body).toMatchObject({ brands: [] });
    expect((await range({ 'card.range': '000000' })).body).toMatchObject({ brands: [] });
  });

  it.each<[Parameters, readonly string[]]>([
    [{}, ['card.range']],
    [{ 'card.range': '42000' }, ['card.range']],
    [{ 'card.range': '420000000' }, ['card.range']],
    [{ 'card.range': '4200000000000000' }, ['card.range']],
    [{ 'card.range': '42000O' }, ['card.range']],
    [{ 'card.range': '420000', 'card.holder': 'Jane Jones' }, ['body']],
  ])('are six to eight, and nothing else is sent: %j', async (fields, names) => {
    const answer = await range(fields);
    expect([answer.status, namesOf(answer)]).toEqual([400, names]);
    expect(JSON.stringify(answer.body)).not.toMatch(/4200/);
  });

  it('are in no address: one with them is refused', async () => {
    const answer = await range({}, '?card.range=420000');
    expect([answer.status, namesOf(answer)]).toEqual([400, ['card.range']]);
    expect(answer.body.result.parameterErrors?.[0]?.message).toContain('not the URL');
  });

  it('are not logged, wherever they were sent', async () => {
    await range({ 'card.range': '51051051' });
    await range({ 'card.range': '51051051' }, '?card.range=51051051');
    await range({ 'card.range': '510510510510' });
    expect(edge.logged.length).toBeGreaterThanOrEqual(3);
    expect(edge.logged.join('\n')).not.toContain('510510');
  });

  it('are answered for a checkout that there is', async () => {
    const { status, body } = await range({ 'card.range': '420000' }, '', newCheckoutId('sluice'));
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
  });

  it('are answered twenty times in a minute, for each checkout', async () => {
    const first = await Promise.all(
      Array.from({ length: 22 }, () => range({ 'card.range': '420000' })),
    );
    const codes = first.map(({ body }) => body.result.code);
    expect(codes.filter((code) => code === '000.000.100')).toHaveLength(20);
    expect(codes.filter((code) => code === '800.120.100')).toHaveLength(2);
  });
});
