import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate, type SignedKey } from '@sluice/certificates';
import type { AuthenticateQuery, AuthenticationAnswer } from '@sluice/contracts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { question } from '../../test/authentication-questions.js';
import {
  type Certificates,
  FakeDirectory,
  type Fields,
  tell,
  WITHOUT_METHOD,
} from '../../test/directory-fixture.js';
import { RiskWorld } from '../../test/risk-fixture.js';
import {
  type Chain,
  contentFor,
  listed,
  newChain,
  newKey,
  signed,
  unsigned,
} from '../../test/signed-content-fixture.js';

/** Nobody may find it in a table or a log. */
const ENCRYPTED = 'the.device.encrypted.for.ds';
const SDK_ID = '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0002';

let world: RiskWorld;
/** Of the simulator, whose authorities nobody knows; and of a network whose they are. */
let directory: FakeDirectory;
let live: FakeDirectory;
let folder: string;
let network: Chain;
let sdkKey: Fields;
/** By which the simulator tells results. */
let simulator: Certificates;
let risk: Awaited<ReturnType<RiskWorld['start']>>;
beforeAll(async () => {
  world = await RiskWorld.open();
  folder = await mkdtemp(join(tmpdir(), 'sluice-app-'));
  network = await newChain('network');
  sdkKey = await newKey();
  const wish = { validDays: 2, from: new Date() };
  const authority = await createAuthority({ commonName: 'Authority', ...wish });
  const addresses = ['127.0.0.1'];
  const issued = () => issueCertificate(authority, { commonName: 'one', addresses, ...wish });
  const [server, client] = [await issued(), await issued()];
  const uris = ['spiffe://sluice/simulator'];
  const teller = await issueCertificate(authority, { commonName: 'simulator', uris, ...wish });
  simulator = { cert: teller.certificate, key: teller.key, ca: authority.certificate };
  directory = await FakeDirectory.start();
  live = await FakeDirectory.start({
    ...{ cert: server.certificate, key: server.key, ca: authority.certificate },
  });
  const file = await serversFile(client, authority);
  const results = {
    resultsCertificateFile: join(folder, 'client.crt'),
    resultsKeyFile: join(folder, 'client.key'),
    resultsAuthorityFile: join(folder, 'authority.crt'),
  };
  const directories = { testDirectoryUrl: directory.url, directoryServersFile: file };
  risk = await world.start({}, { ...directories, ...results });
  await risk.look();
});
afterAll(async () => {
  await world.close();
  await directory.close();
  await live.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  directory.asked.length = 0;
  live.asked.length = 0;
});

async function serversFile(client: SignedKey, authority: SignedKey): Promise<string> {
  const files: Readonly<Record<string, string>> = {
    'client.crt': client.certificate,
    'client.key': client.key,
    'authority.crt': authority.certificate,
    'content.crt': network.root.certificate,
    'servers.json': JSON.stringify({
      referenceNumber: 'SERVER',
      networks: {
        visa: {
          ...{ url: live.url, certificateFile: 'client.crt', keyFile: 'client.key' },
          ...{ authorityFile: 'authority.crt', contentAuthorityFile: 'content.crt' },
          resultsFrom: ['one'],
        },
      },
    }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return join(folder, 'servers.json');
}

/** A payment in an app. */
function asked(said: Fields = {}, changes: Partial<AuthenticateQuery> = {}): AuthenticateQuery {
  const { parameters, ...query } = question(world.vault, WITHOUT_METHOD, changes);
  const others = Object.entries(parameters).filter(([name]) => !name.includes('.browser.'));
  const sdk = {
    ...{ messageVersion: '2.2.0', sdkTransID: SDK_ID, sdkAppID: crypto.randomUUID() },
    ...{ sdkReferenceNumber: 'SDK', sdkEncData: ENCRYPTED, sdkEphemPubKey: sdkKey },
    ...{ sdkMaxTimeout: '15', sdkInterface: '01', sdkUiType: '31', ...said },
  };
  const deviceInfo = { 'threeDSecure.deviceInfo': JSON.stringify(sdk) };
  return {
    ...query,
    parameters: {
      ...Object.fromEntries(others),
      ...deviceInfo,
    },
  };
}

const rendering = { acsInterface: '01', acsUiTemplate: '01' };
const challenge = (acsSignedContent: string, more: Fields = {}): Fields => ({
  ...{ transStatus: 'C', acsURL: undefined, sdkTransID: SDK_ID, acsRenderingType: rendering },
  ...{ acsSignedContent, ...more },
});
const MINUTE_MS = 60_000;
const resultOf = (answer: AuthenticationAnswer) =>
  answer.kind === 'completed' ? answer.result : answer;

describe('a shopper in an app', () => {
  it('is asked about by what the SDK has made, without a word of a browser', async () => {
    directory.answer = () => ({ transStatus: 'Y', eci: '05', sdkTransID: SDK_ID });
    const answer = await risk.authenticate(asked());
    expect(resultOf(answer)).toMatchObject({ status: 'Y', flow: 'frictionless', goesOn: true });
    const [request = {}] = directory.requests;
    expect(request).toMatchObject({
      ...{ deviceChannel: '01', messageVersion: '2.2.0', sdkTransID: SDK_ID, sdkMaxTimeout: '15' },
      ...{ sdkReferenceNumber: 'SDK', sdkEncData: ENCRYPTED, sdkEphemPubKey: sdkKey },
      deviceRenderOptions: { sdkInterface: '01', sdkUiType: ['01', '02', '03', '04', '05'] },
    });
    const ofBrowser = Object.keys(request).filter((name) =>
      /^(?:browser|notificationURL|threeDSCompInd|sdkType)/u.test(name),
    );
    expect(ofBrowser).toEqual([]);
  });

  it('is challenged in the app, as long as it says, and the issuer’s result ends it', async () => {
    const ids = { acsTransID: crypto.randomUUID(), dsTransID: crypto.randomUUID() };
    directory.answer = () => challenge('a.b.c', ids);
    const query = asked();
    const answer = await risk.authenticate(query);
    const [request = {}] = directory.requests;
    expect(answer).toMatchObject({
      kind: 'waiting',
      appChallenge: {
        ...{ version: '2.2.0', serverTransactionId: request['threeDSServerTransID'] },
        ...{ acsTransactionId: ids.acsTransID, dsTransactionId: ids.dsTransID },
        ...{ sdkTransactionId: SDK_ID, acsReferenceNumber: 'ACS', acsSignedContent: 'a.b.c' },
        acsRenderingType: rendering,
      },
    });
    const { expiresAtMs = 0 } = answer as { expiresAtMs?: number };
    expect(expiresAtMs - Date.now()).toBeGreaterThan(14 * MINUTE_MS);
    expect(await risk.authentication(query.authenticationId)).toEqual(answer);
    const ended = { ...ids, sdkTransID: SDK_ID, acsRenderingType: rendering };
    const others = { transStatus: 'Y', ...ended, sdkTransID: crypto.randomUUID() };
    expect(await tell(request, ids, others, simulator)).toMatchObject({ errorCode: '301' });
    const its = { transStatus: 'Y', ...ended };
    const taken = { messageType: 'RRes', ...ids, sdkTransID: SDK_ID, resultsStatus: '01' };
    expect(await tell(request, ids, its, simulator)).toMatchObject(taken);
    const result = resultOf(await risk.authentication(query.authenticationId));
    expect(result).toMatchObject({ status: 'Y', flow: 'challenge', goesOn: true });
  });

  it.each<[string, Fields]>([
    ['of another transaction of the app', { sdkTransID: crypto.randomUUID() }],
    ['without a transaction of the app', { sdkTransID: undefined }],
    ['without signed content', { acsSignedContent: undefined }],
    ['without a screen', { acsRenderingType: undefined }],
  ])('is not authenticated by an answer %s', async (_, wrong) => {
    directory.answer = () => challenge('a.b.c', wrong);
    expect(resultOf(await risk.authenticate(asked()))).toMatchObject({ resultCode: '100.390.112' });
  });

  it('whose SDK speaks what the issuer does not takes no part', async () => {
    const answer = await risk.authenticate(asked({ messageVersion: '2.3.1' }));
    expect(resultOf(answer)).toMatchObject({ flow: 'none', resultCode: '000.400.101' });
    expect(directory.requests).toEqual([]);
  });

  it('is refused where the SDK has said nothing that can be read', async () => {
    const answer = await risk.authenticate(asked({ sdkAppID: 'x' }));
    expect(answer).toMatchObject({ kind: 'refused' });
  });

  it('has what the SDK said in no table and no log in clear', async () => {
    directory.answer = () => challenge('a.b.c');
    await risk.authenticate(asked());
    const rows = await world.rows('SELECT events::text AS text FROM events');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(ENCRYPTED);
    expect(world.logged()).not.toContain(ENCRYPTED);
  });
});

describe('what an issuer tells an app, where the network’s authorities are known', () => {
  const asLive = () => asked({}, { mode: 'LIVE' });
  const chain = () => listed(network.leaf, network.intermediate);

  it('is passed on as it came if they stand for it', async () => {
    const content = await signed(await contentFor(sdkKey), network.leaf, chain());
    live.answer = () => challenge(content);
    const answer = await risk.authenticate(asLive());
    expect(answer).toMatchObject({ kind: 'waiting', appChallenge: { acsSignedContent: content } });
  });

  it.each<[string, () => Promise<string> | string]>([
    [
      'is signed by nobody (alg none)',
      async () => unsigned(await contentFor(sdkKey), { alg: 'none', x5c: chain() }),
    ],
    [
      'is signed by another network of the same name',
      async () => {
        const { leaf, intermediate } = await newChain('network');
        return signed(await contentFor(sdkKey), leaf, listed(leaf, intermediate));
      },
    ],
    [
      'is of another transaction',
      async () => signed(await contentFor(await newKey()), network.leaf, chain()),
    ],
    ['is nothing', () => 'a.b.c'],
  ])('is not passed on if it %s: nobody is authenticated', async (_, content) => {
    const forged = await content();
    live.answer = () => challenge(forged);
    const answer = await risk.authenticate(asLive());
    expect(resultOf(answer)).toMatchObject({ goesOn: false, resultCode: '100.390.112' });
    expect(world.logged()).toContain('is not passed on');
  });
});
