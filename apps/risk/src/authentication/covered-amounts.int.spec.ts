import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuthenticateQuery, AuthenticationAnswer } from '@sluice/contracts';
import { FakeDirectory, type Fields, WITHOUT_METHOD } from '../../test/directory-fixture.js';
import { question as questionOf } from '../../test/authentication-questions.js';
import { MERCHANT, RiskWorld } from '../../test/risk-fixture.js';

let world: RiskWorld;
let directory: FakeDirectory;
let risk: Awaited<ReturnType<RiskWorld['start']>>;
beforeAll(async () => {
  world = await RiskWorld.open();
  directory = await FakeDirectory.start();
  risk = await world.start({}, { testDirectoryUrl: directory.url });
  await risk.look();
});
afterAll(async () => {
  await world.close();
  await directory.close();
});

const question = (number: string, changes: Partial<AuthenticateQuery> = {}) =>
  questionOf(world.vault, number, changes);

const resultOf = (answer: AuthenticationAnswer) =>
  answer.kind === 'completed' ? answer.result : undefined;

describe('an authentication that a later payment comes with', () => {
  it('covers so much of a later payment, of its channel, that names it', async () => {
    const dsTransID = crypto.randomUUID();
    directory.answer = () => ({ transStatus: 'Y', eci: '05', dsTransID });
    const asked = question(WITHOUT_METHOD);
    await risk.authenticate(asked);
    const { entityId } = asked;
    const covered = (dsTransactionId: string, changes: object = {}) =>
      risk.coveredAmount({ entityId, dsTransactionId, ...changes });
    const amount = { minor: '9200', currency: 'EUR' };
    const told = { status: 'Y', eci: '05', version: '2.2.0', acsTransactionId: expect.any(String) };
    expect(await covered(dsTransID)).toEqual({ amount, found: told });
    expect(await covered(dsTransID.toUpperCase())).toEqual({ amount, found: told });
    expect(await covered(crypto.randomUUID())).toEqual({});
    expect(await covered(dsTransID, { entityId: MERCHANT })).toEqual({});
    const serverId = resultOf(await risk.authentication(asked.authenticationId));
    expect(await covered(serverId?.serverTransactionId ?? '')).toEqual({});
  });

  it('covers nothing where it has proven nobody, or nothing is paid', async () => {
    const covered = async (answer: Fields, changes: Partial<AuthenticateQuery> = {}) => {
      const dsTransactionId = crypto.randomUUID();
      directory.answer = () => ({ ...answer, dsTransID: dsTransactionId });
      const asked = question(WITHOUT_METHOD, changes);
      await risk.authenticate(asked);
      return risk.coveredAmount({ entityId: asked.entityId, dsTransactionId });
    };
    const open = await covered({ transStatus: 'C' });
    expect(open).toEqual({ found: {} });
    const failed = await covered({ transStatus: 'N', transStatusReason: '01' });
    expect(failed).toMatchObject({ found: { status: 'N' } });
    const contradicted = await covered({ transStatus: 'Y', eci: '07' });
    expect(contradicted).toMatchObject({ found: { eci: '07' } });
    expect([failed, contradicted].filter((each) => 'amount' in each)).toEqual([]);
    expect(
      await covered({ transStatus: 'Y', eci: '05' }, { category: 'nonPayment' }),
    ).toMatchObject({ amount: { minor: '0', currency: 'EUR' }, found: { status: 'Y' } });
  });

  it('counts where a directory server has given its id twice, and the first one is found by it', async () => {
    const dsTransID = crypto.randomUUID();
    directory.answer = () => ({ transStatus: 'Y', eci: '05', dsTransID });
    const first = question(WITHOUT_METHOD);
    await risk.authenticate(first);
    const second = question(WITHOUT_METHOD, { amount: { minor: '100', currency: 'EUR' } });
    expect(resultOf(await risk.authenticate(second))).toMatchObject({ status: 'Y', goesOn: true });
    expect(
      await risk.coveredAmount({ entityId: first.entityId, dsTransactionId: dsTransID }),
    ).toMatchObject({ amount: { minor: '9200', currency: 'EUR' } });
  });
});

describe('an authentication that a rule demands', () => {
  const asked = (changes: Readonly<Record<string, string>>) => {
    const { parameters } = question(WITHOUT_METHOD);
    return { isOfRule: true, parameters: { ...parameters, ...changes } } as const;
  };

  it.each([
    ['0.01 EUR', { parameters: { 'threeDSecure.amount': '0.01' } }],
    ['60.00 EUR', { parameters: { 'risk.amount': '60.00' } }],
    ['92.00 USD', { parameters: { 'threeDSecure.currency': 'USD' } }],
    ['0.00 EUR', { parameters: {}, category: 'nonPayment' }],
  ] as const)('is refused before anybody is asked where it covers %s', async (covered, said) => {
    const changes = { ...said, ...asked(said.parameters) };
    directory.asked.length = 0;
    const refused = question(WITHOUT_METHOD, changes);
    expect(await risk.authenticate(refused)).toEqual({
      ...{ kind: 'refused', isShort: true },
      reason: expect.stringContaining(`it would cover ${covered}, and not what is paid`),
    });
    expect(await risk.authentication(refused.authenticationId)).toEqual({ kind: 'notFound' });
    expect(directory.requests).toEqual([]);
  });

  it('may cover more than is paid', async () => {
    directory.answer = () => ({ transStatus: 'Y', eci: '05' });
    const more = question(WITHOUT_METHOD, asked({ 'threeDSecure.amount': '92.01' }));
    expect(resultOf(await risk.authenticate(more))).toMatchObject({ status: 'Y', goesOn: true });
  });
});
