import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthenticationAnswer } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import {
  FakeDirectory,
  type Fields,
  METHOD_URL,
  tell,
  WITH_METHOD,
  WITHOUT_METHOD,
} from '../../test/directory-fixture.js';
import { question } from '../../test/authentication-questions.js';
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
});

const YES = { transStatus: 'Y' };
const DEPTH = 40_000;
const OTHER_ID = '44444444-4444-4444-8444-444444444444';
const resultOf = (answer: AuthenticationAnswer) =>
  answer.kind === 'completed' ? answer.result : undefined;

/** An authentication whose issuer asks, with what its result has to name. */
async function challenged() {
  const ids = { acsTransID: crypto.randomUUID(), dsTransID: crypto.randomUUID() };
  directory.answer = () => ({ transStatus: 'C', ...ids });
  const asked = question(world.vault, WITHOUT_METHOD);
  await risk.authenticate(asked);
  const request = directory.requests.at(-1) ?? {};
  return { id: asked.authenticationId, ids, request };
}

/** Sends anything to where results are told. */
async function send(request: Fields, body: string): Promise<{ status: number; answer: Fields }> {
  const headers = { 'content-type': 'application/json' };
  const url = String(request['threeDSServerURL']);
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, answer: (await response.json()) as Fields };
}

describe('a result that', () => {
  it.each<[string, Fields, string]>([
    ['has another ACS', { acsTransID: crypto.randomUUID() }, '301'],
    ['has another directory server', { dsTransID: crypto.randomUUID() }, '301'],
    ['is of a transaction that there is not', { threeDSServerTransID: crypto.randomUUID() }, '301'],
    ['is of no transaction', { threeDSServerTransID: "' OR 1=1" }, '301'],
    ['is an answer', { messageType: 'ARes' }, '101'],
  ])('%s is refused, and the true one still counts', async (_, wrong, code) => {
    const { id, ids, request } = await challenged();
    const refused = await tell(request, ids, { ...YES, ...wrong });
    expect(refused).toMatchObject({ messageType: 'Erro', errorCode: code });
    expect(await risk.authentication(id)).toMatchObject({ kind: 'redirect' });
    expect(await tell(request, ids, YES)).toMatchObject({ messageType: 'RRes' });
    expect(resultOf(await risk.authentication(id))).toMatchObject({ status: 'Y', goesOn: true });
  });

  it.each<[string, Fields, string]>([
    ['has no cryptogram', { authenticationValue: undefined }, '201'],
    ['has another version', { messageVersion: '2.1.0' }, '203'],
    ['is of another category', { messageCategory: '02' }, '203'],
    ['has a status that is no end', { transStatus: 'C' }, '203'],
  ])(
    '%s is refused, and ends the challenge, of which no other one comes',
    async (_, wrong, code) => {
      const { id, ids, request } = await challenged();
      const refused = await tell(request, ids, { ...YES, ...wrong });
      expect(refused).toMatchObject({ messageType: 'Erro', errorCode: code });
      const end = { goesOn: false, resultCode: '100.390.112', flow: 'challenge' };
      expect(resultOf(await risk.authentication(id))).toMatchObject(end);
      expect(await tell(request, ids, YES)).toMatchObject({
        messageType: 'Erro',
        errorCode: '301',
      });
      expect(resultOf(await risk.authentication(id))).toMatchObject(end);
    },
  );

  it.each([
    ['is empty', ''],
    ['is no JSON', '<Envelope/>'],
    ['is nested deeply', `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`],
    ['has a prototype', '{"__proto__":{"transStatus":"Y"},"messageType":"RReq"}'],
    ['has a name twice', '{"messageType":"RReq","messageType":"RReq"}'],
    ['is a list', '[]'],
  ])('%s is refused', async (_, text) => {
    const { id, request } = await challenged();
    expect(await send(request, text)).toMatchObject({
      ...{ status: 200, answer: { messageType: 'Erro' } },
    });
    expect(await risk.authentication(id)).toMatchObject({ kind: 'redirect' });
  });

  it('is too long is not read to its end', async () => {
    const { request } = await challenged();
    const long = JSON.stringify({ messageType: 'RReq', a: 'a'.repeat(1_000_000) });
    expect((await send(request, long)).status).toBe(413);
  });

  it('comes ten times at once counts once, and each sender is told so', async () => {
    const { id, ids, request } = await challenged();
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(request, ids, YES)));
    expect(answers.map(({ resultsStatus }) => resultsStatus)).toEqual(Array(10).fill('01'));
    const text = 'SELECT events::text AS text FROM events WHERE stream_id = $1';
    const rows = await world.rows<{ text: string }>(text, [id]);
    expect(rows.filter((row) => row.text.includes('ResultReceived'))).toHaveLength(1);
  });

  it('says yes and no at once counts once, whichever came first', async () => {
    const { id, ids, request } = await challenged();
    const both = [tell(request, ids, YES), tell(request, ids, { transStatus: 'N' })];
    const types = (await Promise.all(both)).map(({ messageType }) => messageType);
    expect(types.sort()).toEqual(['Erro', 'RRes']);
    const { status } = resultOf(await risk.authentication(id)) ?? {};
    expect(['Y', 'N']).toContain(status);
  });

  it('comes before the browser has gone to the issuer counts', async () => {
    const { id, ids, request } = await challenged();
    await tell(request, ids, YES);
    const arrived = { authenticationId: id, step: 'arrived' } as const;
    expect(resultOf(await risk.proceed(arrived))).toMatchObject({ status: 'Y' });
  });

  it('comes for one that nobody was asked in is refused', async () => {
    const ids = { acsTransID: crypto.randomUUID(), dsTransID: crypto.randomUUID() };
    directory.answer = () => ({ transStatus: 'N', ...ids });
    const asked = question(world.vault, WITHOUT_METHOD);
    await risk.authenticate(asked);
    const refused = await tell(directory.requests[0] ?? {}, ids, YES);
    expect(refused).toMatchObject({ messageType: 'Erro', errorCode: '301' });
    const answer = await risk.authentication(asked.authenticationId);
    expect(resultOf(answer)).toMatchObject({ status: 'N', goesOn: false });
  });

  it('comes before the issuer was asked is refused', async () => {
    const { ids, request } = await challenged();
    const asked = question(world.vault, WITH_METHOD);
    const begun = await risk.authenticate(asked);
    if (begun.kind !== 'redirect') throw new Error('no redirect');
    const data = begun.redirect.preconditions?.[0]?.parameters['threeDSMethodData'] ?? '';
    const { threeDSServerTransID } = JSON.parse(
      Buffer.from(data, 'base64url').toString(),
    ) as Fields;
    const early = await tell(request, ids, { ...YES, threeDSServerTransID });
    expect(early).toMatchObject({ messageType: 'Erro' });
    expect(await risk.authentication(asked.authenticationId)).toEqual(begun);
  });
});

describe('an answer of a directory server with', () => {
  it.each<[string, string, Fields | string]>([
    [
      'an address that runs something',
      '203',
      { transStatus: 'C', acsURL: 'data:text/html,<script>' },
    ],
    ['a file', '203', { transStatus: 'C', acsURL: 'file:///etc/passwd' }],
    [
      'a name in its address',
      '203',
      { transStatus: 'C', acsURL: 'https://bank:x@issuer.example/' },
    ],
    ['no address', '201', { transStatus: 'C', acsURL: undefined }],
    ['a status that there is not', '203', { transStatus: 'Z' }],
    ['another version', '203', { transStatus: 'Y', eci: '05', messageVersion: '2.1.0' }],
    ['a cryptogram of another length', '203', { transStatus: 'Y', authenticationValue: 'AAAA' }],
    ['nothing', '101', ''],
    ['a prototype', '101', '{"__proto__":{"transStatus":"Y"},"messageType":"ARes"}'],
    ['a name twice', '204', '{"messageType":"ARes","transStatus":"N","transStatus":"Y"}'],
    ['brackets without end', '101', '['.repeat(DEPTH)],
    ['another transaction', '301', { transStatus: 'Y', threeDSServerTransID: OTHER_ID }],
    ['a million letters', '101', JSON.stringify({ messageType: 'ARes', a: 'a'.repeat(1_000_000) })],
  ])('%s authenticates nobody, and is told so with %s', async (_, errorCode, answer) => {
    directory.answer = () => answer;
    const result = resultOf(await risk.authenticate(question(world.vault, WITHOUT_METHOD)));
    expect(result).toMatchObject({
      ...{ goesOn: false, liabilityShifts: false, resultCode: '100.390.112' },
    });
    expect(result).not.toHaveProperty('proofReference');
    const threeDSServerTransID =
      errorCode === '301' ? OTHER_ID : directory.requests[0]?.['threeDSServerTransID'];
    const erro = { errorCode, errorComponent: 'S', messageVersion: '2.2.0', threeDSServerTransID };
    expect(await directory.errors()).toMatchObject([erro]);
  });

  it('an error is answered with none', async () => {
    directory.answer = ({ threeDSServerTransID }) => ({
      ...{ messageType: 'Erro', threeDSServerTransID, errorCode: '203', errorComponent: 'D' },
      ...{ errorDescription: 'wrong', errorDetail: 'acctNumber', errorMessageType: 'AReq' },
    });
    const result = resultOf(await risk.authenticate(question(world.vault, WITHOUT_METHOD)));
    expect(result).toMatchObject({ goesOn: false, resultCode: '100.390.112' });
    // After it, another one: what was to be told would have been by then.
    directory.answer = () => ({ transStatus: 'Z' });
    await risk.authenticate(question(world.vault, WITHOUT_METHOD));
    expect(await directory.errors()).toMatchObject([{ errorMessageType: 'ARes' }]);
  });
});

describe('a page of the 3DS method that', () => {
  /** Authenticates with both cards where the list of the first one has such a page. */
  async function withPage(threeDSMethodURL: string) {
    const other = await FakeDirectory.start();
    const fresh = await RiskWorld.open();
    try {
      const [first, ...rest] = other.ranges;
      other.ranges = [{ ...first, threeDSMethodURL }, ...rest];
      const asked = await fresh.start({}, { testDirectoryUrl: other.url });
      await asked.look();
      const answers = [];
      for (const number of [WITH_METHOD, WITHOUT_METHOD]) {
        answers.push(await asked.authenticate(question(fresh.vault, number)));
      }
      const errors = answers.some(
        (each) => each.kind === 'completed' && each.result.status === undefined,
      )
        ? await other.errors()
        : [];
      return { answers, requests: other.requests, errors };
    } finally {
      await fresh.close();
      await other.close();
    }
  }

  it.each(['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>'])(
    'is %s makes a list of cards that is not taken',
    async (url) => {
      const { answers, requests, errors } = await withPage(url);
      expect(answers.map((answer) => resultOf(answer)?.resultCode)).toEqual([
        ...['000.400.107', '000.400.107'],
      ]);
      expect(requests).toEqual([]);
      expect(errors[0]).toMatchObject({ errorMessageType: 'PRes', errorCode: '203' });
    },
  );

  it('says who the browser is is loaded by nobody, and the card takes part without', async () => {
    const { answers, requests } = await withPage('https://bank:secret@issuer.example/method');
    expect(answers.map((answer) => resultOf(answer)?.status)).toEqual(['Y', 'Y']);
    expect(requests.map(({ threeDSCompInd }) => threeDSCompInd)).toEqual(['U', 'U']);
  });

  it('ran for another payment is not believed of this one', async () => {
    directory.answer = () => ({ transStatus: 'Y', eci: '05' });
    const [mine, foreign] = [0, 1].map(() => question(world.vault, WITH_METHOD));
    if (mine === undefined || foreign === undefined) throw new Error('There are two.');
    const data = await Promise.all([mine, foreign].map((asked) => methodDataOf(asked)));
    const { authenticationId } = mine;
    expect(await risk.methodDone({ authenticationId, methodData: data[1] ?? '' })).toEqual({
      kind: 'notFound',
    });
    const go = { step: 'arrived', isPrepared: true } as const;
    await risk.proceed({ authenticationId, ...go });
    await risk.proceed({ authenticationId: foreign.authenticationId, ...go });
    expect(directory.requests.map(({ threeDSCompInd }) => threeDSCompInd)).toEqual(['N', 'N']);
  });

  it('ran for a second authentication is told at the address of its payment', async () => {
    directory.answer = () => ({ transStatus: 'Y', eci: '05' });
    const paymentId = newTransactionId(Date.now());
    const asked = question(world.vault, WITH_METHOD, { paymentId });
    const methodData = await methodDataOf(asked);
    const noted = await risk.methodDone({ authenticationId: paymentId, methodData });
    expect(noted).toEqual({ kind: 'noted' });
    const { authenticationId } = asked;
    await risk.proceed({ authenticationId, step: 'arrived' });
    expect(directory.requests).toMatchObject([{ threeDSCompInd: 'Y' }]);
  });

  it('ran for an authentication that there is not is nobody’s', async () => {
    const authenticationId = newTransactionId(Date.now());
    const told = { authenticationId, methodData: 'e30' };
    expect(await risk.methodDone(told)).toEqual({ kind: 'notFound' });
  });
});

/** What the browser is given for the page, in the authentication's beginning. */
async function methodDataOf(asked: ReturnType<typeof question>): Promise<string> {
  const begun = await risk.authenticate(asked);
  if (begun.kind !== 'redirect') throw new Error('no redirect');
  expect(begun.redirect.preconditions?.[0]?.url).toBe(METHOD_URL);
  return begun.redirect.preconditions?.[0]?.parameters['threeDSMethodData'] ?? '';
}
