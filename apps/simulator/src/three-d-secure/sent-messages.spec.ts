import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMessage, type Message, messageVersions } from '@sluice/domain-three-d-secure';
import { setTimeout as pause } from 'node:timers/promises';
import {
  areq,
  creq,
  type Fields,
  type Networks,
  packed,
  ScriptlessBrowser,
  startNetworks,
  unpacked,
  wish,
} from './networks-fixture.js';
import { networks as networkNames } from './networks.js';
import { cardsOf } from './test-cards.js';

/**
 * Our own tables of EMV 3-D Secure are the judge: the simulator is written apart from them, and what it
 * sends has to be taken as it is, without an element that the version does not know.
 */
let networks: Networks;
const WITHIN_MS = 5_000;

const STATUSES = ['A', 'C', 'D', 'I', 'N', 'R', 'U', 'Y'];
const channels = ['01', '02', '03'];
const categories = ['01', '02'];
const UNKNOWN_NUMBER = '4200000000000000';

/** What requests are about, each as far as its version and its channel have it. */
const requests = messageVersions.flatMap((messageVersion) =>
  channels.flatMap((deviceChannel) =>
    categories
      // In 2.1.0 there is no payment without the shopper.
      .filter((category) => `${messageVersion} ${deviceChannel} ${category}` !== '2.1.0 03 01')
      .map((messageCategory) => ({ messageVersion, deviceChannel, messageCategory })),
  ),
);
const wishesOf = (messageVersion: string, channel: string): readonly Fields[] => {
  const asked = (code: string) => ({
    threeDSRequestorChallengeInd: messageVersion === '2.3.1' ? [code] : code,
  });
  // In 2.1.0 nobody can wish for a challenge of a shopper who is not there.
  if (messageVersion === '2.1.0') return channel === '03' ? [{}] : [{}, asked('04')];
  const decoupled = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00060' };
  return [{}, asked('04'), asked('06'), decoupled];
};

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error('It has not happened.');
    await pause(5);
  }
}

describe('answers', () => {
  beforeAll(async () => {
    networks = await startNetworks({ unseenMs: 60_000 });
  });
  afterAll(() => networks.close());

  it.each(requests)(
    'ARes $messageVersion to channel $deviceChannel, category $messageCategory',
    async (fields) => {
      const statuses = new Set<unknown>();
      const numbers = [...cardsOf('visa').map(({ number }) => number), UNKNOWN_NUMBER];
      for (const wishes of wishesOf(fields.messageVersion, fields.deviceChannel)) {
        for (const acctNumber of numbers) {
          const request: Message = areq(networks, { ...fields, ...wishes, acctNumber });
          expect(checkMessage(request, { type: 'AReq' })).toEqual({ message: request });
          const answer = await networks.ask('visa', request);
          const { messageVersion: version } = fields;
          expect(checkMessage(answer, { type: 'ARes', version, request })).toEqual({
            message: answer,
          });
          statuses.add(answer['transStatus']);
        }
      }
      const unknownHere = [
        ...(fields.messageVersion === '2.1.0' ? ['D', 'I'] : []),
        ...(fields.deviceChannel === '03' ? ['C'] : []),
      ];
      const expected = STATUSES.filter((status) => !unknownHere.includes(status));
      expect([...statuses].sort()).toEqual(expected);
    },
  );

  it.each(
    messageVersions.flatMap((version) =>
      networkNames.map((network) => [version, network] as const),
    ),
  )('PRes %s of %s', async (messageVersion, network) => {
    const asked = {
      messageType: 'PReq',
      messageVersion,
      threeDSServerTransID: '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0001',
      threeDSServerRefNumber: 'SERVER-1',
    };
    expect(checkMessage(asked, { type: 'PReq' })).toEqual({ message: asked });
    const all = await networks.ask(network, asked);
    for (const serialNum of [undefined, all['serialNum'], '1', '400000000', '3.00000000']) {
      const request = { ...asked, ...(serialNum !== undefined && { serialNum }) };
      const answer = await networks.ask(network, request);
      const ids = { threeDSServerTransID: asked.threeDSServerTransID };
      expect(checkMessage(answer, { type: 'PRes', version: messageVersion, ids })).toEqual({
        message: answer,
      });
      expect('cardRangeData' in answer).toBe(serialNum !== all['serialNum']);
    }
  });

  it.each(
    messageVersions.flatMap((messageVersion) =>
      channels.map((deviceChannel) => [messageVersion, deviceChannel] as const),
    ),
  )('Erro %s to channel %s', async (messageVersion, deviceChannel) => {
    const category = deviceChannel === '03' ? '02' : '01';
    const base = { messageVersion, deviceChannel, messageCategory: category };
    for (const wrong of [
      { acctNumber: undefined },
      { acctNumber: 'x' },
      { messageVersion: undefined },
      { messageVersion: '9.9.9' },
      { messageType: 'RReq' },
      { threeDSServerTransID: 'x' },
      { merchantCountryCode: '000' },
      { messageExtension: [{ id: 'A', criticalityIndicator: true }] },
      wish({ fault: 'erro' }),
    ]) {
      const answer = await networks.ask('visa', areq(networks, { ...base, ...wrong }));
      expect(answer['messageType']).toBe('Erro');
      expect(checkMessage(answer, { type: 'Erro' })).toEqual({ message: answer });
    }
  });
});

describe('what follows a challenge', () => {
  afterEach(() => networks.close());

  /** Checks the RReq that has come, and gives its status. */
  async function resultTo(request: Message, answer: Fields): Promise<unknown> {
    await until(() => networks.results.received.length > 0);
    const [result] = networks.results.received;
    const { acsTransID, dsTransID } = answer as Record<string, string>;
    const ids = { acsTransID: acsTransID ?? '', dsTransID: dsTransID ?? '' };
    const version = messageVersions.find((one) => one === request['messageVersion']) ?? '2.1.0';
    expect(checkMessage(result, { type: 'RReq', version, request, ids })).toEqual({
      message: result,
    });
    return result?.['transStatus'];
  }

  const challenges = messageVersions.flatMap((version) =>
    categories.flatMap((category) =>
      [
        ['4200000000000018', [['answer', '123456']], 'Y'],
        ['4200000000000018', Array(3).fill(['answer', '1']) as [string, string][], 'N'],
        ['4200000000000018', [['cancel']], 'N'],
        ['4012000000003119', [['answer', 'bakery']], 'Y'],
        ['4012000000003127', [['answer', 'bakery', 'bookshop']], 'Y'],
        ['4012000000003085', [['approve']], 'Y'],
        ['4012000000003085', [['decline']], 'N'],
      ].map(([number, presses, status]) => ({ version, category, number, presses, status })),
    ),
  );

  it.each(challenges)(
    'RReq and CRes $version, category $category, of $number after $presses: $status',
    async ({ version, category, number, presses, status }) => {
      networks = await startNetworks();
      const fields = { messageVersion: version, messageCategory: category, acctNumber: number };
      const request: Message = areq(networks, fields);
      const answer = await networks.ask('visa', request);
      const asked = creq(answer);
      expect(checkMessage(asked, { type: 'CReq', version, request })).toEqual({ message: asked });
      const browser = new ScriptlessBrowser(String(answer['acsURL']));
      await browser.send([['creq', packed(asked)]]);
      for (const [action = '', ...answers] of presses as string[][]) {
        await browser.press(action, ...answers);
      }
      expect(await resultTo(request, answer)).toBe(status);
      const result = unpacked(browser.form().fields['cres'] ?? '');
      expect(checkMessage(result, { type: 'CRes', version, request })).toEqual({
        message: result,
      });
    },
  );

  it.each(messageVersions)('RReq %s, where nobody comes', async (messageVersion) => {
    networks = await startNetworks({ pageMs: 20 });
    const request = areq(networks, { messageVersion, acctNumber: '4200000000000018' });
    expect(await resultTo(request, await networks.ask('visa', request))).toBe('N');
  });

  it.each(messageVersions)('RReq %s of an app', async (messageVersion) => {
    networks = await startNetworks();
    const fields = { messageVersion, deviceChannel: '01', acctNumber: '4200000000000018' };
    const request = areq(networks, fields);
    expect(await resultTo(request, await networks.ask('visa', request))).toBe('Y');
  });

  it.each([
    ...(['2.2.0', '2.3.1'] as const).flatMap((version) =>
      channels.map((channel) => [version, channel] as const),
    ),
  ])('RReq %s of a decoupled authentication in channel %s', async (messageVersion, channel) => {
    networks = await startNetworks();
    const request = areq(networks, {
      ...{ messageVersion, deviceChannel: channel, acctNumber: '4200000000000125' },
      ...{ threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00060' },
    });
    expect(await resultTo(request, await networks.ask('visa', request))).toBe('Y');
  });

  it.each(
    messageVersions.flatMap((version) =>
      ['Y', 'A', 'N', 'U', 'R'].map((status) => [version, status] as const),
    ),
  )('RReq %s of a challenge that is to end with %s', async (messageVersion, status) => {
    networks = await startNetworks();
    const wishes = wish({ flow: 'challenge', status });
    const request = areq(networks, { messageVersion, ...wishes });
    const answer = await networks.ask('visa', request);
    const browser = new ScriptlessBrowser(String(answer['acsURL']));
    await browser.send([['creq', packed(creq(answer))]]);
    await browser.press('answer', '123456');
    expect(await resultTo(request, answer)).toBe(status);
  });
});
