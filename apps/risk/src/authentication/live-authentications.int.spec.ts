import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthenticationAnswer } from '@sluice/contracts';
import { question } from '../../test/authentication-questions.js';
import { WITH_METHOD, WITHOUT_METHOD } from '../../test/directory-fixture.js';
import { tell } from '../../test/directory-fixture.js';
import { LiveDirectories, senderOf } from '../../test/live-directory-fixture.js';
import { RiskWorld } from '../../test/risk-fixture.js';

let world: RiskWorld;
let live: LiveDirectories;
let risk: Awaited<ReturnType<RiskWorld['start']>>;
beforeAll(async () => {
  world = await RiskWorld.open();
  live = await LiveDirectories.start();
  risk = await world.start({}, live.settings);
  await risk.look();
});
afterAll(async () => {
  await world.close();
  await live.close();
});
beforeEach(() => {
  live.servers.visa.asked.length = 0;
});

const YES = { transStatus: 'Y' };
const asked = (number: string) => question(world.vault, number, { mode: 'LIVE' });
const resultOf = (answer: AuthenticationAnswer) =>
  answer.kind === 'completed' ? answer.result : undefined;

/** A live authentication by Visa whose issuer asks. */
async function challenged() {
  const ids = { acsTransID: crypto.randomUUID(), dsTransID: crypto.randomUUID() };
  live.servers.visa.answer = () => ({ transStatus: 'C', ...ids });
  const payment = asked(WITHOUT_METHOD);
  expect(await risk.authenticate(payment)).toMatchObject({ kind: 'redirect' });
  return { id: payment.authenticationId, ids, request: live.servers.visa.requests.at(-1) ?? {} };
}

describe('the result of a live challenge', () => {
  it.each([
    ['of another network, with its own name', 'mastercard', senderOf('mastercard')],
    ['of another network, with the name of this one', 'mastercard', senderOf('visa')],
    ['of this network, with another name', 'visa', 'directory'],
    ['of this network, with the name of the simulator', 'visa', 'simulator'],
  ] as const)('is not taken by a certificate %s', async (_, network, name) => {
    const { id, ids, request } = await challenged();
    const wrong = await live.certificateOf(network, name);
    expect(await tell(request, ids, YES, wrong)).toMatchObject({
      ...{ messageType: 'Erro', errorCode: '301' },
    });
    expect(await risk.authentication(id)).toMatchObject({ kind: 'redirect' });
    const right = await live.certificateOf('visa', senderOf('visa'));
    expect(await tell(request, ids, YES, right)).toMatchObject({ messageType: 'RRes' });
    expect(resultOf(await risk.authentication(id))).toMatchObject({ status: 'Y', goesOn: true });
  });
});

describe('in a live payment', () => {
  it.each([
    ['in clear', 'http://issuer.example/challenge'],
    ['of this machine', 'https://localhost/challenge'],
    ['of a private network', 'https://10.0.0.1/challenge'],
    ['of a private network, as a name', 'https://router.local/challenge'],
    ['of the cloud’s metadata', 'https://169.254.169.254/latest'],
  ])('nobody goes to a challenge at an address %s', async (_, acsURL) => {
    live.servers.visa.answer = () => ({ transStatus: 'C', acsURL });
    const answer = await risk.authenticate(asked(WITHOUT_METHOD));
    expect(resultOf(answer)).toMatchObject({ goesOn: false, resultCode: '100.390.112' });
  });

  it.each(['http://issuer.example/method', 'https://192.168.1.1/method'])(
    'the page of the 3DS method is not loaded from %s',
    async (threeDSMethodURL) => {
      const other = await LiveDirectories.start();
      const fresh = await RiskWorld.open();
      try {
        const { visa } = other.servers;
        const [first, ...rest] = visa.ranges;
        visa.ranges = [{ ...first, threeDSMethodURL }, ...rest];
        const started = await fresh.start({}, other.settings);
        await started.look();
        const payment = question(fresh.vault, WITH_METHOD, { mode: 'LIVE' });
        expect(resultOf(await started.authenticate(payment))).toMatchObject({ status: 'Y' });
        expect(visa.requests).toMatchObject([{ threeDSCompInd: 'U' }]);
      } finally {
        await fresh.close();
        await other.close();
      }
    },
  );
});

it('is not begun where nobody would know who tells results', async () => {
  const { directoryServersFile = '' } = live.settings;
  await expect(world.start({}, { directoryServersFile })).rejects.toThrow(
    'RISK_RESULTS_CERTIFICATE_FILE',
  );
});
