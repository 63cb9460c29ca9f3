import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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

let networks: Networks;
beforeEach(async () => {
  networks = await startNetworks();
});
afterEach(() => networks.close());

/** Opens the challenge of a card in a browser. */
async function opened(number: string, asked: Fields = {}, size = '02') {
  const ares = await networks.ask('visa', areq(networks, { acctNumber: number, ...asked }));
  expect(ares['transStatus']).toBe('C');
  const browser = new ScriptlessBrowser(String(ares['acsURL']));
  await browser.send([
    ['creq', packed(creq(ares, { challengeWindowSize: size }))],
    ['threeDSSessionData', 'c2Vzc2lvbg'],
  ]);
  return { ares, browser };
}

/** Where the browser is sent at the end, with what. */
function sentBack({ html, form }: { html: string; form: ScriptlessBrowser['form'] }) {
  expect(html).toContain('Back to the shop');
  const { action, fields } = form();
  const { cres = '', ...others } = fields;
  return { action, cres: unpacked(cres), others };
}

const back = (browser: ScriptlessBrowser) =>
  sentBack({ html: browser.html, form: () => browser.form() });

describe('a challenge', () => {
  it.each([
    ['a code', '4200000000000042', 'answer', ['123456'], '02'],
    ['a code without a page of the 3DS method', '4200000000000018', 'answer', ['123456'], '02'],
    ['one choice', '4012000000003119', 'answer', ['bakery'], '02'],
    ['two choices', '4012000000003127', 'answer', ['bakery', 'bookshop'], '02'],
    ['an app', '4012000000003085', 'approve', [], '03'],
  ])('by %s ends with Y, first at the server and then in the browser', async (...row) => {
    const [, number, action, answers, authenticationType] = row;
    const { ares, browser } = await opened(number);
    expect(browser.html).toContain('This page is of a simulator');
    expect(browser.html).toContain('The &lt;shop&gt;');
    expect(browser.html).toContain('92.00 EUR');
    await browser.press(action, ...answers);
    const { threeDSServerTransID, acsTransID, dsTransID } = ares;
    expect(networks.results.received).toEqual([
      {
        ...{ threeDSServerTransID, acsTransID, dsTransID, messageType: 'RReq' },
        ...{ messageVersion: '2.2.0', messageCategory: '01', transStatus: 'Y', eci: '05' },
        ...{ authenticationType, interactionCounter: '01' },
        authenticationValue: expect.stringMatching(/^[0-9A-Za-z+/]{27}=$/),
      },
    ]);
    expect(back(browser)).toEqual({
      action: 'https://gateway.test/return',
      cres: {
        ...{ threeDSServerTransID, acsTransID, messageType: 'CRes', messageVersion: '2.2.0' },
        transStatus: 'Y',
      },
      others: { threeDSSessionData: 'c2Vzc2lvbg' },
    });
    expect(networks.book()).toMatchObject([{ isDelivered: true, ending: { status: 'Y' } }]);
  });

  it.each([
    ['a code', '4200000000000018', '000000'],
    ['no code', '4200000000000018', ''],
    ['one choice', '4012000000003119', 'airline'],
    ['one of two choices', '4012000000003127', 'bakery'],
  ])('that is answered wrongly three times, by %s, ends with N', async (_name, number, answer) => {
    const { browser } = await opened(number);
    await browser.press('answer', answer);
    expect(browser.html).toContain('You can try 2 more times.');
    await browser.press('answer', answer);
    expect(browser.html).toContain('You can try once more.');
    expect(networks.results.received).toEqual([]);
    await browser.press('answer', answer);
    const [result] = networks.results.received;
    expect(result).toMatchObject({
      ...{ transStatus: 'N', transStatusReason: '19', interactionCounter: '03', eci: '07' },
    });
    expect(result).not.toHaveProperty('authenticationValue');
    expect(back(browser).cres).toMatchObject({ transStatus: 'N' });
  });

  it('may be right after a wrong answer', async () => {
    const { browser } = await opened('4200000000000018');
    await browser.press('answer', '1');
    await browser.press('answer', ' 123456 ');
    expect(networks.results.received).toMatchObject([
      { transStatus: 'Y', interactionCounter: '02' },
    ]);
  });

  it.each([
    ['cancelled', 'cancel', { transStatusReason: '01', challengeCancel: '01' }],
    ['declined in the app', 'decline', { transStatusReason: '01' }],
  ])('that is %s ends with N', async (_name, action, reason) => {
    const { browser } = await opened('4012000000003085');
    await browser.press(action);
    expect(networks.results.received).toMatchObject([{ transStatus: 'N', ...reason }]);
    expect(back(browser).cres).toMatchObject({ transStatus: 'N' });
  });

  it('ends once, and shows the way back as often as it is loaded', async () => {
    const { browser } = await opened('4200000000000018');
    await browser.press('answer', '123456');
    const before = browser.html;
    await browser.press('cancel');
    expect(await browser.reload()).toBe(before);
    expect(networks.results.received).toHaveLength(1);
  });

  it('ends as a test wants it, whatever the shopper says', async () => {
    const { browser } = await opened('4200000000000000', {
      ...wish({ enrolled: true, flow: 'challenge', status: 'U' }),
    });
    await browser.press('answer', '123456');
    expect(networks.results.received).toMatchObject([{ transStatus: 'U' }]);
  });

  it('tells no amount where nothing is paid', async () => {
    const asked = { messageCategory: '02', purchaseAmount: undefined };
    const { browser } = await opened('4200000000000018', asked);
    expect(browser.html).not.toContain('Amount');
  });

  it.each(['01', '02', '03', '04', '05'])('has a window of the size %s', async (size) => {
    const { browser } = await opened('4200000000000018', {}, size);
    expect(browser.status).toBe(200);
    expect(networks.book()).toMatchObject([{ windowSize: size }]);
  });

  it.each([
    ['2.1.0', {}],
    ['2.3.1', {}],
  ])('speaks the version of its AReq: %s', async (messageVersion) => {
    const { browser } = await opened('4200000000000018', { messageVersion });
    await browser.press('answer', '123456');
    expect(networks.results.received).toMatchObject([{ messageVersion }]);
    expect(back(browser).cres).toMatchObject({ messageVersion });
  });
});

describe('pages of a challenge', () => {
  it('run no foreign script, lead anywhere, and may be in a frame of any shop', async () => {
    const { ares } = await opened('4200000000000018');
    const response = await fetch(`${String(ares['acsURL'])}/${String(ares['acsTransID'])}`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(policy).not.toContain('frame-ancestors');
    // Forms lead to shops by redirects, to which browsers apply it as well.
    expect(policy).not.toContain('form-action');
  });

  it('name their fields, and say at once what was wrong', async () => {
    const { browser } = await opened('4200000000000018');
    expect(browser.html).toMatch(/<html lang="en">/);
    expect(browser.html).toMatch(/<label for="answer">/);
    await browser.press('answer', '1');
    expect(browser.html).toMatch(/role="alert"/);
    expect(browser.html).toMatch(/aria-invalid="true" aria-describedby="wrong hint"/);
  });

  it.each<[string, string | Fields, RegExp, number]>([
    ['no CReq', 'x', /creq must be/, 400],
    ['text that is no base64url', '%%%', /creq must be/, 400],
    ['another message', { messageType: 'AReq' }, /must be a CReq/, 400],
    [
      'a challenge that there is not',
      { acsTransID: '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0001' },
      /must name/,
      400,
    ],
    ['the id of another authentication', { threeDSServerTransID: 'x' }, /must name/, 400],
    ['the name of a property', { acsTransID: '__proto__' }, /must name/, 400],
    ['another version', { messageVersion: '2.1.0' }, /messageVersion/, 400],
    ['a window without size', { challengeWindowSize: '06' }, /challengeWindowSize/, 400],
  ])('refuse %s', async (_name, wrong, sentence, status) => {
    const asked = areq(networks, { acctNumber: '4200000000000018' });
    const ares = await networks.ask('visa', asked);
    const browser = new ScriptlessBrowser(String(ares['acsURL']));
    const sent = typeof wrong === 'string' ? wrong : packed(creq(ares, wrong));
    await browser.send([['creq', sent]]);
    expect(browser.status).toBe(status);
    expect(browser.html).toMatch(sentence);
    expect(networks.book()).toMatchObject([{ isChallenged: false }]);
  });

  it('say that the simulator was started again, and lead back with a no', async () => {
    const { ares, browser } = await opened('4200000000000018');
    const restarted = await startNetworks();
    try {
      const { action, fields } = browser.form();
      const url = `${restarted.pagesUrl}/visa/challenge/${action}`;
      await browser.send([...Object.entries(fields), ['answer', '123456']], url);
      expect(browser.status).toBe(404);
      expect(browser.html).toContain('It was started again while it asked you');
      const { threeDSServerTransID, acsTransID } = ares;
      expect(back(browser)).toEqual({
        action: 'https://gateway.test/return',
        cres: {
          ...{ threeDSServerTransID, acsTransID, messageType: 'CRes', messageVersion: '2.2.0' },
          transStatus: 'N',
        },
        others: { threeDSSessionData: 'c2Vzc2lvbg' },
      });
      const hostile = { ...fields, backTo: 'javascript:alert(1)' };
      expect(await browser.send(Object.entries(hostile), url)).not.toContain('javascript');
      await browser.reload();
      expect(browser.html).toContain('when the simulator was started again');
    } finally {
      await restarted.close();
    }
  });

  it('refuse long data of the session, another network, and who has not sent CReq', async () => {
    const ares = await networks.ask('visa', areq(networks, { acctNumber: '4200000000000018' }));
    const url = String(ares['acsURL']);
    const browser = new ScriptlessBrowser(url);
    const sent = ['creq', packed(creq(ares))] as const;
    await browser.send([sent, ['threeDSSessionData', 'x'.repeat(1_025)]]);
    expect(browser.status).toBe(400);
    await browser.send([sent], url.replace('/visa/', '/amex/'));
    expect(browser.status).toBe(400);
    await browser.send([['action', 'cancel']], `${url}/${String(ares['acsTransID'])}`);
    expect(browser.status).toBe(404);
    expect(networks.results.received).toEqual([]);
  });
});

describe('the page of the 3DS method', () => {
  const id = '6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0001';
  const url = 'https://gateway.test/method';

  it('sends the browser on to whoever asked, in a frame that nobody sees', async () => {
    const browser = new ScriptlessBrowser(`${networks.pagesUrl}/visa/method`);
    const data = { threeDSServerTransID: id, threeDSMethodNotificationURL: url };
    await browser.send([['threeDSMethodData', packed(data)]]);
    const { action, fields } = browser.form();
    expect(action).toBe(url);
    expect(unpacked(fields['threeDSMethodData'] ?? '')).toEqual({ threeDSServerTransID: id });
    expect(browser.html).toContain('<script>document.forms[0].submit()</script>');
  });

  it.each([
    ['nothing', 'x', 'visa', 400],
    ['no id', packed({ threeDSMethodNotificationURL: url }), 'visa', 400],
    [
      'no address of the web',
      packed({ threeDSServerTransID: id, threeDSMethodNotificationURL: 'javascript:alert(1)' }),
      'visa',
      400,
    ],
    ['a network that there is not', 'x', 'toString', 404],
  ])('refuses %s', async (_name, data, network, status) => {
    const browser = new ScriptlessBrowser(`${networks.pagesUrl}/${network}/method`);
    await browser.send([['threeDSMethodData', data]]);
    expect(browser.status).toBe(status);
  });

  it.each([
    ['4200000000000091', 'Y', true, []],
    ['4200000000000091', 'Y', false, [/nobody has loaded/]],
    ['4200000000000091', 'N', false, [/threeDSCompInd is N/]],
    ['4200000000000091', 'U', false, [/threeDSCompInd is U/]],
    ['4200000000000026', 'U', false, []],
    ['4200000000000026', 'N', false, [/has no page/]],
  ])(
    '%s with threeDSCompInd %s is noted in the book',
    async (number, threeDSCompInd, loads, notes) => {
      const asked = areq(networks, { acctNumber: number, threeDSCompInd });
      const { threeDSServerTransID } = asked;
      if (loads) {
        const data = { threeDSServerTransID, threeDSMethodNotificationURL: url };
        const browser = new ScriptlessBrowser(`${networks.pagesUrl}/visa/method`);
        await browser.send([['threeDSMethodData', packed(data)]]);
      }
      expect(await networks.ask('visa', asked)).toMatchObject({ transStatus: 'Y' });
      expect(networks.book()).toMatchObject([
        { notes: notes.map((note): unknown => expect.stringMatching(note)) },
      ]);
    },
  );
});

describe('the book of the ACS', () => {
  it('shows of a card what may be shown, and no cryptogram', async () => {
    const ares = await networks.ask('visa', areq(networks));
    const response = await fetch(`${networks.pagesUrl}/book`);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      acsTransID: ares['acsTransID'],
      ...{ bin: '420000', last4: '0026', amount: '92.00', currency: 'EUR', status: 'Y' },
    });
    expect(text).not.toContain('4200000000000026');
    expect(text).not.toContain(String(ares['authenticationValue']));
  });
});
