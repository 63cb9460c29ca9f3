import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as elapsed } from 'node:timers/promises';
import type { AuthenticateQuery, AuthenticationAnswer } from '@sluice/contracts';
import {
  ACS_URL,
  CRYPTOGRAM,
  FakeDirectory,
  type Fields,
  METHOD_URL,
  OF_OLD_ISSUER,
  tell,
  WITH_METHOD,
  WITHOUT_METHOD,
} from '../../test/directory-fixture.js';
import { question as questionOf, REDIRECT } from '../../test/authentication-questions.js';
import { RiskWorld } from '../../test/risk-fixture.js';

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
beforeEach(() => {
  directory.asked.length = 0;
  directory.answer = () => ({ transStatus: 'Y', eci: '05' });
});

/** The other side, once for each request, so that results can be told for it. */
function challenging(): { readonly ares: Fields[] } {
  const ares: Fields[] = [];
  directory.answer = () => {
    const ids = { acsTransID: crypto.randomUUID(), dsTransID: crypto.randomUUID() };
    ares.push(ids);
    return { transStatus: 'C', ...ids };
  };
  return { ares };
}

const question = (number: string, changes: Partial<AuthenticateQuery> = {}) =>
  questionOf(world.vault, number, changes);

const resultOf = (answer: AuthenticationAnswer) =>
  answer.kind === 'completed' ? answer.result : undefined;

describe('an authentication without friction', () => {
  it('is answered at once, with its cryptogram in the vault', async () => {
    const asked = question(WITHOUT_METHOD);
    const answer = await risk.authenticate(asked);
    expect(resultOf(answer)).toMatchObject({
      ...{ status: 'Y', flow: 'frictionless', goesOn: true, liabilityShifts: true, eci: '05' },
      ...{ resultCode: '000.400.110', version: '2.2.0' },
    });
    const proof = resultOf(answer)?.proofReference ?? '';
    expect(world.vault.proofs.get(proof)).toBe(CRYPTOGRAM);
    expect(directory.requests[0]).toMatchObject({
      ...{ acctNumber: WITHOUT_METHOD, purchaseAmount: '9200', purchaseCurrency: '978' },
      ...{ merchantCountryCode: '276', cardExpiryDate: '3405', threeDSCompInd: 'U' },
    });
  });

  it('covers no more than it was for', async () => {
    const asked = question(WITHOUT_METHOD);
    const parameters = { ...asked.parameters, 'threeDSecure.amount': '50.00' };
    const result = resultOf(await risk.authenticate({ ...asked, parameters }));
    expect(result).toMatchObject({
      ...{ goesOn: true, liabilityShifts: false, eci: '05' },
      authenticated: { minor: '5000', currency: 'EUR' },
    });
    expect(world.vault.proofs.get(result?.proofReference ?? '')).toBe(CRYPTOGRAM);
    expect(directory.requests[0]).toMatchObject({ purchaseAmount: '5000' });
  });

  it('is the same when it is asked for again, and nobody is asked twice', async () => {
    const asked = question(WITHOUT_METHOD);
    const [first, second] = await Promise.all([risk.authenticate(asked), risk.authenticate(asked)]);
    expect(second).toEqual(first);
    expect(await risk.authentication(asked.authenticationId)).toEqual(first);
    expect(directory.requests).toHaveLength(1);
  });

  it.each([
    ['A', true, '000.400.110'],
    ['N', false, '000.400.102'],
    ['U', false, '000.400.103'],
    ['R', false, '100.380.401'],
  ])('ends with %s as the table has it', async (transStatus, goesOn, resultCode) => {
    directory.answer = () => ({ transStatus });
    const result = resultOf(await risk.authenticate(question(WITHOUT_METHOD)));
    expect(result).toMatchObject({ status: transStatus, goesOn, resultCode });
  });
});

/** Of a channel that goes on with all that nobody forbids. */
function goingOn(number: string, more: Readonly<Record<string, string>>): AuthenticateQuery {
  const asked = question(number);
  const settings = { ...asked.settings, goesOnWith: ['Y', 'A', 'U'] as const };
  return { ...asked, settings, parameters: { ...asked.parameters, ...more } };
}

describe('a shopper who would go on if nobody could be asked', () => {
  it('is asked about whatever the browser says of its colours', async () => {
    directory.answer = () => ({ transStatus: 'N' });
    const asked = goingOn(WITHOUT_METHOD, { 'customer.browser.screenColorDepth': '0' });
    expect(resultOf(await risk.authenticate(asked))).toMatchObject({ status: 'N', goesOn: false });
    expect(directory.requests).toMatchObject([{ browserColorDepth: '1' }]);
  });

  it('does not where our own request cannot be built, and it is logged', async () => {
    const asked = goingOn(WITH_METHOD, {});
    const { authenticationId, vaultReference } = asked;
    await risk.authenticate(asked);
    world.vault.numbers.set(vaultReference, '12');
    const answer = await risk.proceed({ authenticationId, step: 'arrived', isPrepared: true });
    const ended = { flow: 'none', goesOn: false, resultCode: '100.390.112' };
    expect(resultOf(answer)).toMatchObject(ended);
    expect(directory.requests).toEqual([]);
    expect(world.logged()).toContain('A request for an authentication could not be built.');
  });
});

describe('a card that is not asked about', () => {
  it.each([
    ['is in no range', '4111111111111111', '000.400.109'],
    ['has an issuer that speaks no version of ours', OF_OLD_ISSUER, '000.400.101'],
  ])('%s', async (_why, number, resultCode) => {
    const result = resultOf(await risk.authenticate(question(number)));
    expect(result).toEqual({ flow: 'none', goesOn: false, liabilityShifts: false, resultCode });
    expect(directory.requests).toHaveLength(0);
  });

  it.each(['4111111111111111', OF_OLD_ISSUER])(
    'is asked about where a test has it take part: %s',
    async (number) => {
      const { parameters } = question(number);
      const enrolled = { ...parameters, 'customParameters[3DS2_enrolled]': 'true' };
      const asked = question(number, { parameters: enrolled });
      expect(resultOf(await risk.authenticate(asked))).toMatchObject({ status: 'Y', goesOn: true });
      expect(directory.requests).toMatchObject([{ messageVersion: '2.2.0' }]);
    },
  );

  it('is refused in words where the browser is not described', async () => {
    const { 'customer.browser.userAgent': _, ...parameters } = question(WITHOUT_METHOD).parameters;
    expect(await risk.authenticate(question(WITHOUT_METHOD, { parameters }))).toEqual({
      kind: 'refused',
      reason: 'an authentication by 3-D Secure needs customer.browser.userAgent',
      parameters: ['customer.browser.userAgent'],
    });
  });

  it.each([WITHOUT_METHOD, WITH_METHOD])(
    'is refused before anything is recorded where its merchant cannot be named: %s',
    async (number) => {
      const asked = goingOn(number, { 'threeDSecure.merchant.url': 'shop.example' });
      expect(await risk.authenticate(asked)).toEqual({
        ...{ kind: 'refused', parameters: ['threeDSecure.merchant.url'] },
        reason: expect.stringContaining('needs threeDSecure.merchant.url as a URL'),
      });
      expect(await risk.authentication(asked.authenticationId)).toEqual({ kind: 'notFound' });
      expect(directory.requests).toEqual([]);
    },
  );

  it('is not asked about in live mode, where no directory server is configured', async () => {
    expect(await risk.authenticate(question(WITHOUT_METHOD, { mode: 'LIVE' }))).toMatchObject({
      kind: 'refused',
    });
  });
});

describe('a challenge', () => {
  it('goes on when the issuer tells its result, whatever the browser brings', async () => {
    const { ares } = challenging();
    const asked = question(WITHOUT_METHOD);
    const { authenticationId } = asked;
    expect(await risk.authenticate(asked)).toMatchObject({
      ...{ kind: 'redirect', redirect: { url: REDIRECT, parameters: {} } },
    });
    const gone = await risk.proceed({ authenticationId, step: 'arrived' });
    expect(gone).toMatchObject({ kind: 'redirect', redirect: { url: ACS_URL, method: 'POST' } });
    const [request = {}] = directory.requests;
    const [told = {}] = ares;
    const forged = await tell(request, { ...told, acsTransID: crypto.randomUUID() }, YES);
    expect(forged).toMatchObject({ messageType: 'Erro', errorCode: '301' });
    const cres = { messageType: 'CRes', messageVersion: '2.2.0', transStatus: 'Y' };
    const ids = { threeDSServerTransID: request['threeDSServerTransID'], ...told };
    const challengeResponse = Buffer.from(JSON.stringify({ ...cres, ...ids })).toString(
      'base64url',
    );
    const back = await risk.proceed({ authenticationId, step: 'returned', challengeResponse });
    expect(back).toMatchObject({ kind: 'waiting' });
    expect(await tell(request, told, YES)).toMatchObject({ messageType: 'RRes' });
    expect(resultOf(await risk.authentication(authenticationId))).toMatchObject({
      ...{ status: 'Y', flow: 'challenge', goesOn: true, eci: '05' },
    });
    expect(await tell(request, told, YES)).toMatchObject({ resultsStatus: '01' });
    expect(await tell(request, told, { transStatus: 'N' })).toMatchObject({ errorCode: '301' });
  });

  it('goes on with a result that was told while the vault was away, as in an update', async () => {
    const { ares } = challenging();
    const asked = question(WITHOUT_METHOD);
    const { authenticationId } = asked;
    await risk.authenticate(asked);
    const [request = {}] = directory.requests;
    const [ids = {}] = ares;
    world.vault.isAway = true;
    const told = tell(request, ids, YES);
    // An issuer that has waited for long enough tells it again.
    const toldAgain = tell(request, ids, YES);
    while (world.vault.missed < 2) await elapsed(10);
    // Whoever asks meanwhile does not wait for the vault.
    expect(await risk.proceed({ authenticationId, step: 'returned' })).toMatchObject({
      kind: 'waiting',
    });
    world.vault.isAway = false;
    const answers = await Promise.all([told, toldAgain]);
    expect(answers.map(({ messageType }) => messageType)).toEqual(['RRes', 'RRes']);
    expect(resultOf(await risk.authentication(authenticationId))).toMatchObject({
      ...{ status: 'Y', flow: 'challenge', goesOn: true },
    });
  });

  it('is of the same transaction in capital letters, and is answered as it was told', async () => {
    const { ares } = challenging();
    const asked = question(WITHOUT_METHOD);
    await risk.authenticate(asked);
    const [request = {}] = directory.requests;
    const upper = (id: unknown) => String(id).toUpperCase();
    const ids = {
      threeDSServerTransID: upper(request['threeDSServerTransID']),
      acsTransID: upper(ares[0]?.['acsTransID']),
      dsTransID: upper(ares[0]?.['dsTransID']),
    };
    for (const told of [ids, ids, { ...ids, acsTransID: ids.acsTransID.toLowerCase() }]) {
      expect(await tell(request, told, { ...YES, ...told })).toMatchObject({
        ...{ messageType: 'RRes', ...told },
      });
    }
    expect(resultOf(await risk.authentication(asked.authenticationId))).toMatchObject({
      ...{ status: 'Y', goesOn: true },
    });
  });

  it('has ids of the issuer in capital letters', async () => {
    const acsTransID = crypto.randomUUID().toUpperCase();
    directory.answer = ({ threeDSServerTransID }) => ({
      ...{ transStatus: 'C', acsTransID, dsTransID: crypto.randomUUID().toUpperCase() },
      threeDSServerTransID: String(threeDSServerTransID).toUpperCase(),
    });
    const asked = question(WITHOUT_METHOD);
    const { authenticationId } = asked;
    await risk.authenticate(asked);
    const gone = await risk.proceed({ authenticationId, step: 'arrived' });
    const creq = gone.kind === 'redirect' ? (gone.redirect.parameters['creq'] ?? '') : '';
    expect(JSON.parse(Buffer.from(creq, 'base64url').toString())).toMatchObject({ acsTransID });
  });

  it('that the shopper cancels ends with that', async () => {
    const { ares } = challenging();
    const asked = question(WITHOUT_METHOD);
    await risk.authenticate(asked);
    const [request = {}] = directory.requests;
    await tell(request, ares[0] ?? {}, { transStatus: 'N', challengeCancel: '01' });
    expect(resultOf(await risk.authentication(asked.authenticationId))).toMatchObject({
      ...{ goesOn: false, resultCode: '100.396.101', challengeCancel: '01' },
    });
  });
});

describe('the 3DS method', () => {
  it('comes before the issuer is asked, who is told that it ran', async () => {
    const asked = question(WITH_METHOD);
    const { authenticationId } = asked;
    const answer = await risk.authenticate(asked);
    expect(directory.requests).toHaveLength(0);
    expect(answer).toMatchObject({
      redirect: { url: REDIRECT, preconditions: [{ url: METHOD_URL, origin: 'iframe#hidden' }] },
    });
    if (answer.kind !== 'redirect') throw new Error('no redirect');
    const methodData = answer.redirect.preconditions?.[0]?.parameters['threeDSMethodData'] ?? '';
    expect(JSON.parse(Buffer.from(methodData, 'base64url').toString())).toMatchObject({
      threeDSMethodNotificationURL: `${REDIRECT}/method`,
    });
    await risk.methodDone({ authenticationId, methodData });
    expect(resultOf(await risk.proceed({ authenticationId, step: 'arrived' }))).toMatchObject({
      status: 'Y',
    });
    expect(directory.requests[0]).toMatchObject({ threeDSCompInd: 'Y' });
  });

  it('is before a request that says where results go by then, not where they went as it began', async () => {
    const asked = question(WITH_METHOD);
    const { authenticationId } = asked;
    await risk.authenticate(asked);
    const resultsUrl = 'https://moved.example/3ds/results';
    const moved = await world.start({}, { testDirectoryUrl: directory.url, resultsUrl });
    await moved.look();
    await moved.proceed({ authenticationId, step: 'arrived', isPrepared: true });
    expect(directory.requests).toMatchObject([{ threeDSServerURL: resultsUrl }]);
  });

  it('that did not run is told, too', async () => {
    const asked = question(WITH_METHOD);
    const { authenticationId } = asked;
    await risk.authenticate(asked);
    await risk.methodDone({ authenticationId, methodData: 'rubbish' });
    await risk.proceed({ authenticationId, step: 'arrived', isPrepared: true });
    expect(directory.requests[0]).toMatchObject({ threeDSCompInd: 'N' });
  });

  it('that no page of the merchant has loaded is for ours to load first', async () => {
    const asked = question(WITH_METHOD);
    const { authenticationId } = asked;
    const answer = await risk.authenticate(asked);
    expect(await risk.proceed({ authenticationId, step: 'arrived' })).toEqual(answer);
    expect(directory.requests).toHaveLength(0);
  });
});

describe('an answer that cannot be used', () => {
  it.each<[string, Fields | string]>([
    ['no JSON', '<h1>It works!</h1>'],
    ['another transaction', { transStatus: 'Y', threeDSServerTransID: crypto.randomUUID() }],
    ['a script in place of a page', { transStatus: 'C', acsURL: 'javascript:alert(1)' }],
    ['no cryptogram', { transStatus: 'Y', authenticationValue: undefined }],
    ['a decoupled one that nobody asked for', { transStatus: 'D', acsDecConInd: 'Y' }],
  ])('authenticates nobody: %s', async (_what, answer) => {
    directory.answer = () => answer;
    const result = resultOf(await risk.authenticate(question(WITHOUT_METHOD)));
    expect(result).toMatchObject({ goesOn: false, liabilityShifts: false });
    expect(result).not.toHaveProperty('proofReference');
    expect(result?.resultCode).toBe('100.390.112');
  });
});

describe('what the issuer has to say to the shopper', () => {
  /** Of a payment whose issuer said this. */
  async function said(cardholderInfo: string) {
    directory.answer = () => ({ transStatus: 'N', cardholderInfo });
    const asked = question(WITHOUT_METHOD);
    const sealed = resultOf(await risk.authenticate(asked))?.cardholderInfo ?? '';
    return { paymentId: asked.paymentId, sealed };
  }

  it('is told to nobody but as it is sealed, and is opened for answers', async () => {
    const [one, other] = [await said('Dear Jane, call us.'), await said('Dear Jim, call us.')];
    expect(one.sealed).not.toContain('Jane');
    const opened = await risk.issuerWords(other.sealed, one.sealed);
    expect(opened).toEqual({ texts: ['Dear Jim, call us.', 'Dear Jane, call us.'] });
    const rows = await world.rows<{ text: string }>('SELECT events::text AS text FROM events');
    const everything = `${rows.map(({ text }) => text).join('')}${world.logged()}`;
    expect(everything).toContain(one.sealed);
    expect(everything).not.toContain('Dear J');
  });

  it('is read by nobody once the payment is forgotten', async () => {
    const { paymentId, sealed } = await said('Dear Jane, call us.');
    await world.forget(paymentId);
    expect(await risk.issuerWords(sealed)).toEqual({ texts: [null] });
  });

  it('is nothing else that is sealed, nor altered', async () => {
    const { sealed, paymentId } = await said('Dear Jane, call us.');
    const text = 'SELECT events::text AS text FROM events WHERE stream_id = $1';
    const rows = await world.rows<{ text: string }>(text, [paymentId]);
    const [, block = 'none'] = /personal\W+([\w+/=]{100,})/u.exec(rows[0]?.text ?? '') ?? [];
    expect(block).not.toBe('none');
    const altered = sealed.replace(/\.../u, '.AA');
    const wrong = [altered, 'Call us.', '', `${paymentId}.${block}`];
    const foreign = (await said('Another')).sealed.split('.')[1] ?? '';
    const { texts } = await risk.issuerWords(...wrong, `${paymentId}.${foreign}`);
    expect(texts).toEqual(Array(5).fill(null));
  });
});

it('leaves no card number, cryptogram or e-mail address in tables and logs', async () => {
  const rows = await world.rows<{ text: string }>(
    'SELECT events::text AS text FROM events UNION ALL SELECT ranges::text FROM card_ranges',
  );
  const text = `${rows.map((row) => row.text).join('')}${world.logged()}`;
  expect(text).not.toContain(CRYPTOGRAM);
  expect(text).not.toContain('jane.jones');
  const told = rows.filter((row) => !row.text.includes('"start"')).map((row) => row.text);
  expect(told.join('')).not.toContain(WITHOUT_METHOD);
});

const YES = { transStatus: 'Y' };
