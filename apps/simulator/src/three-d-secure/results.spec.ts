import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import {
  areq,
  confirm,
  creq,
  type Fields,
  type Networks,
  packed,
  ScriptlessBrowser,
  startNetworks,
  unpacked,
  wish,
} from './networks-fixture.js';

let networks: Networks;
afterEach(() => networks.close());

const WITHIN_MS = 5_000;

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error('It has not happened.');
    await pause(5);
  }
}

/** Begins a challenge that a test wants something of. */
async function begun(wishes: Fields): Promise<Fields> {
  const asked = { acctNumber: '4200000000000018', ...wish(wishes) };
  return networks.ask('visa', areq(networks, asked));
}

/** Ends it with the right code. */
async function ended(ares: Fields): Promise<Fields> {
  const browser = new ScriptlessBrowser(String(ares['acsURL']));
  await browser.send([['creq', packed(creq(ares))]]);
  await browser.press('answer', '123456');
  return unpacked(browser.form().fields['cres'] ?? '');
}

describe('results', () => {
  it('are sent again until RRes comes', async () => {
    networks = await startNetworks();
    const wrong = [
      () => ({ status: 500, body: '' }),
      (request: Fields) => ({
        status: 200,
        body: JSON.stringify({ messageType: 'RRes', acsTransID: request['acsTransID'] }),
      }),
    ];
    networks.results.answer = (request, response) => {
      const answer = wrong.shift()?.(request);
      if (answer === undefined) return confirm(request, response);
      response.statusCode = answer.status;
      response.end(answer.body);
    };
    expect(await ended(await begun({}))).toMatchObject({ transStatus: 'Y' });
    expect(networks.results.received).toHaveLength(3);
    expect(networks.book()).toMatchObject([{ isDelivered: true, notes: [] }]);
  });

  it('are given up after three attempts, and the browser goes back', async () => {
    networks = await startNetworks();
    networks.results.answer = (_request, response) => response.end('{"messageType":"Erro"}');
    expect(await ended(await begun({}))).toMatchObject({ transStatus: 'Y' });
    expect(networks.results.received).toHaveLength(3);
    expect(networks.book()).toMatchObject([{ isDelivered: false, notes: ['No RRes has come.'] }]);
  });

  it.each([
    ['nobody comes to', false, '05'],
    ['nobody answers', true, '04'],
  ])('say N of a challenge that %s', async (_name, isOpened, challengeCancel) => {
    networks = await startNetworks({ pageMs: 150 });
    const ares = await begun({});
    const browser = new ScriptlessBrowser(String(ares['acsURL']));
    if (isOpened) await browser.send([['creq', packed(creq(ares))]]);
    await until(() => networks.results.received.length === 1);
    const end = { transStatus: 'N', transStatusReason: '14', challengeCancel };
    expect(networks.results.received).toMatchObject([end]);
  });

  it('come by themselves where the bank asks without the browser', async () => {
    networks = await startNetworks();
    const wish = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00060' };
    const asked = { acctNumber: '4200000000000125', ...wish };
    const ares = await networks.ask('visa', areq(networks, asked));
    expect(ares).toMatchObject({ transStatus: 'D', acsDecConInd: 'Y', authenticationType: '04' });
    expect(ares).not.toHaveProperty('authenticationValue');
    await until(() => networks.results.received.length === 1);
    const end = { transStatus: 'Y', authenticationType: '04', eci: '05' };
    expect(networks.results.received).toMatchObject([end]);
  });
});

describe('a fault', () => {
  it.each<[string, Fields, Fields]>([
    ['erro', {}, { messageType: 'Erro', errorCode: '403' }],
    ['wrongVersion', {}, { messageVersion: '2.9.0', transStatus: 'Y' }],
    ['hostileAcsUrl', { flow: 'challenge' }, { acsURL: expect.stringMatching(/^javascript:/) }],
  ])('%s', async (fault, wishes, answer) => {
    networks = await startNetworks();
    const asked = areq(networks, wish({ ...wishes, fault }));
    expect(await networks.ask('visa', asked)).toMatchObject(answer);
  });

  it('wrongTransactionId', async () => {
    networks = await startNetworks();
    const asked = areq(networks, wish({ fault: 'wrongTransactionId' }));
    const { threeDSServerTransID } = await networks.ask('visa', asked);
    expect(threeDSServerTransID).not.toBe(asked['threeDSServerTransID']);
  });

  it('noCryptogram', async () => {
    networks = await startNetworks();
    const answer = await networks.ask('visa', areq(networks, wish({ fault: 'noCryptogram' })));
    expect(answer).toMatchObject({ transStatus: 'Y', eci: '05' });
    expect(answer).not.toHaveProperty('authenticationValue');
    await ended(await begun({ fault: 'noCryptogram' }));
    const [result] = networks.results.received;
    expect(result).toMatchObject({ transStatus: 'Y', eci: '05' });
    expect(result).not.toHaveProperty('authenticationValue');
  });

  it.each([
    ['http500', 500, /Internal Server Error/],
    ['notJson', 200, /^<!doctype html>/],
    ['hostileJson', 200, /^\{"__proto__":\{"transStatus":"Y"\},"transStatus":"N".*\[\[\[/],
  ])('%s', async (fault, status, text) => {
    networks = await startNetworks();
    const response = await networks.post('visa', JSON.stringify(areq(networks, wish({ fault }))));
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(text);
  });

  it('delayMs answers that late', async () => {
    networks = await startNetworks();
    const before = performance.now();
    await networks.ask('visa', areq(networks, wish({ delayMs: 80 })));
    expect(performance.now() - before).toBeGreaterThan(75);
  });

  it('noAnswer does not answer, and holds up no end', async () => {
    networks = await startNetworks();
    const sent = networks.post('visa', JSON.stringify(areq(networks, wish({ fault: 'noAnswer' }))));
    const first = await Promise.race([sent.catch(() => 'failed'), pause(100, 'nothing')]);
    expect(first).toBe('nothing');
    await networks.close();
    await expect(sent.then(({ status }) => status).catch(() => 'gone')).resolves.not.toBe(200);
    networks = await startNetworks();
  });

  it('rreqNever tells the browser alone', async () => {
    networks = await startNetworks();
    expect(await ended(await begun({ fault: 'rreqNever' }))).toMatchObject({ transStatus: 'Y' });
    await pause(60);
    expect(networks.results.received).toEqual([]);
  });

  it('rreqLate tells the browser first', async () => {
    networks = await startNetworks();
    expect(await ended(await begun({ fault: 'rreqLate' }))).toMatchObject({ transStatus: 'Y' });
    expect(networks.results.received).toEqual([]);
    await until(() => networks.results.received.length === 1);
  });

  it('rreqTwice tells the same twice', async () => {
    networks = await startNetworks();
    await ended(await begun({ fault: 'rreqTwice' }));
    const [first, second] = networks.results.received;
    expect(second).toEqual(first);
    expect(networks.results.received).toHaveLength(2);
    expect(networks.book()).toMatchObject([{ notes: ['The second RReq was answered.'] }]);
  });

  it('rreqBeforeCreq tells the result before anybody has come', async () => {
    networks = await startNetworks();
    const ares = await begun({ fault: 'rreqBeforeCreq' });
    await until(() => networks.results.received.length === 1);
    expect(networks.results.received).toMatchObject([{ transStatus: 'Y' }]);
    expect(await ended(ares)).toMatchObject({ transStatus: 'Y' });
    expect(networks.results.received).toHaveLength(1);
  });

  it('rreqForged lies about ids and outcome, and then tells the truth', async () => {
    networks = await startNetworks();
    const ares = await begun({ flow: 'challenge', status: 'N', fault: 'rreqForged' });
    await ended(ares);
    const [forged, truth] = networks.results.received;
    expect(forged).toMatchObject({ transStatus: 'Y' });
    expect(forged?.['acsTransID']).not.toBe(ares['acsTransID']);
    expect(forged?.['dsTransID']).not.toBe(ares['dsTransID']);
    expect(truth).toMatchObject({ transStatus: 'N', acsTransID: ares['acsTransID'] });
  });
});
