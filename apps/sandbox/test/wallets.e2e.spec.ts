import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import {
  APPROVED,
  type Body,
  codeOf,
  entityId,
  type Fields,
  headers,
  MONEY,
  send as sendTo,
} from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const NUMBER = '4200000000000000';
const CARD = { 'card.number': NUMBER, 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
const PROOF = {
  'threeDSecure.verificationId': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  'threeDSecure.eci': '05',
};
const SHOWN = {
  paymentMethod: 'WA',
  card: { bin: '420000', last4Digits: '0000', expiryMonth: '05', expiryYear: '2034' },
};
const BROWSER = {
  ...{ acceptHeader: 'text/html', language: 'en-GB', screenHeight: '1080', screenWidth: '1920' },
  ...{ timezone: '-60', javaEnabled: 'false', userAgent: 'Mozilla/5.0' },
};
const wallets = [
  ['applePay', 'APPLEPAY'],
  ['googlePay', 'GOOGLEPAY'],
  ['samsungPay', 'SAMSUNGPAY'],
  ['clickToPay', 'CLICK_TO_PAY'],
] as const;

const folder = newFolder();
let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await start(folder);
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const brandOf = (wallet: string): string => wallets.find(([name]) => name === wallet)![1];

/** A new token, as the device of a shopper gives it. */
async function tokenOf(wallet: string, fields: Fields = {}): Promise<string> {
  const { amount, currency } = MONEY;
  const body = new URLSearchParams({ amount, currency, entityId, ...fields });
  const response = await fetch(`${sandbox.url}/simulator/wallets/${wallet}`, {
    method: 'POST',
    body,
  });
  expect(response.status).toBe(200);
  return response.text();
}

async function send(method: string, path: string, fields: Fields = {}): Promise<Body> {
  const body = await sendTo(sandbox, [method, path], fields);
  // Neither the number nor what proves the payment, nor the token.
  expect(JSON.stringify(body)).not.toMatch(/4200000000000000|AgAAAAAA|paymentData|signedMessage/);
  return body;
}

const pay = (fields: Fields): Promise<Body> =>
  send('POST', '/v1/payments', { ...MONEY, ...fields });

/** A token with the brand of its wallet. */
async function byToken(wallet: string, fields: Fields = {}): Promise<Fields> {
  const paymentBrand = brandOf(wallet);
  return { [`${wallet}.paymentToken`]: await tokenOf(wallet, fields), paymentBrand };
}

async function payByToken(wallet: string, more: Fields = {}): Promise<Body> {
  return pay({ ...(await byToken(wallet)), ...more });
}

describe.each(wallets)('a payment with %s', (wallet, brand) => {
  it('by its token is approved, read, queried and refunded as the card that was in it', async () => {
    const merchantTransactionId = `by-token-${wallet}`;
    const paid = await payByToken(wallet, { merchantTransactionId });
    const shown = { ...SHOWN, paymentBrand: brand, brandResult: 'VISA' };
    expect(paid).toMatchObject({ ...shown, result: { code: APPROVED } });
    expect(paid).toMatchObject({ threeDSecure: { eci: '05' } });
    expect(await send('GET', `/v1/payments/${paid.id}`)).toMatchObject(shown);
    const found = await send('GET', '/v1/query', { merchantTransactionId });
    expect(found).toMatchObject({ payments: [{ id: paid.id, ...shown }] });
    const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' };
    expect(await codeOf(send('POST', `/v1/payments/${paid.id}`, refund))).toBe(APPROVED);
  });

  it('is authorized, captured, and reversed', async () => {
    for (const paymentType of ['CP', 'RV']) {
      const { id } = await payByToken(wallet, { paymentType: 'PA' });
      const reference = { paymentType, amount: '92.00', currency: 'EUR' };
      expect(await codeOf(send('POST', `/v1/payments/${id}`, reference))).toBe(APPROVED);
    }
  });

  it('is declined', async () => {
    const declined = payByToken(wallet, { 'customParameters[forceResultCode]': '800.100.151' });
    expect(await codeOf(declined)).toBe('800.100.151');
  });

  it('that the merchant has decrypted is one by the card that was in it', async () => {
    const fields = { ...CARD, ...PROOF, [`${wallet}.source`]: 'web', paymentBrand: brand };
    const paid = await pay(fields);
    const shown = {
      ...SHOWN,
      paymentBrand: brand,
      brandResult: 'VISA',
      [wallet]: { source: 'web' },
    };
    expect(paid).toMatchObject({
      ...shown,
      threeDSecure: { eci: '05' },
      result: { code: APPROVED },
    });
    expect(await send('GET', `/v1/payments/${paid.id}`)).toMatchObject(shown);
    const byCardBrand = await pay({ ...fields, paymentBrand: 'VISA', paymentType: 'PA' });
    expect(byCardBrand).toMatchObject({ ...SHOWN, paymentBrand: 'VISA' });
    const capture = { paymentType: 'CP', amount: '92.00', currency: 'EUR' };
    expect(await codeOf(send('POST', `/v1/payments/${byCardBrand.id}`, capture))).toBe(APPROVED);
  });

  it('is stored without its proof, and pays again what the merchant initiates', async () => {
    const first = await payByToken(wallet, {
      createRegistration: 'true',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
      'standingInstruction.type': 'UNSCHEDULED',
    });
    expect(first).toMatchObject({ result: { code: APPROVED } });
    const stored = `/v1/registrations/${String(first['registrationId'])}/payments`;
    const byMerchant = {
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
      'standingInstruction.type': 'UNSCHEDULED',
    };
    const again = await send('POST', stored, { ...MONEY, ...byMerchant });
    expect(again).toMatchObject({ ...SHOWN, result: { code: APPROVED } });
    expect(again).not.toHaveProperty('threeDSecure');
    const byShopper = await send('POST', stored, MONEY);
    expect(byShopper.result.code).toBe('600.200.500');
    expect(byShopper.result.description).toContain('standingInstruction.source MIT');
  });

  it('is not stored without a payment', async () => {
    const fields = await byToken(wallet);
    const { result } = await send('POST', '/v1/registrations', fields);
    expect(result.code).toBe('600.200.500');
    expect(result.description).toContain('createRegistration');
    // The token was not used up.
    expect(await codeOf(pay(fields))).toBe(APPROVED);
  });

  it('is made with a token once, also by two requests at once', async () => {
    const fields = await byToken(wallet);
    const codes = await Promise.all([0, 1, 2].map(() => codeOf(pay(fields))));
    expect(codes.toSorted()).toEqual([APPROVED, '800.110.100', '800.110.100']);
  });

  it('is answered again to a request that is repeated under its key', async () => {
    const form = new URLSearchParams({ entityId, ...MONEY, ...(await byToken(wallet)) });
    const once = async (): Promise<string> => {
      const key = { 'Idempotency-Key': `key of ${wallet}` };
      const init = { method: 'POST', headers: { ...headers, ...key }, body: form };
      return (await fetch(`${sandbox.url}/v1/payments`, init)).text();
    };
    const [first, second] = [await once(), await once()];
    expect(JSON.parse(first)).toMatchObject({ result: { code: APPROVED } });
    expect(second).toBe(first);
  });

  it('is refused by the token of another wallet, of none, and by one that was altered', async () => {
    const token = await tokenOf(wallet);
    const [other] = wallets.find(([name]) => name !== wallet)!;
    const refusal = (fields: Fields): Promise<string> =>
      codeOf(pay({ paymentBrand: brand, ...fields }));
    const name = `${wallet}.paymentToken`;
    expect(await refusal({ [`${other}.paymentToken`]: token })).toBe('200.300.404');
    const asOther = { [`${other}.paymentToken`]: token, paymentBrand: brandOf(other) };
    expect(await refusal(asOther)).toBe('200.100.603');
    expect(await refusal({ [name]: '{}' })).toBe('200.100.603');
    expect(await refusal({ [name]: token.replace(/.(?="?\}?\}?$)/, '!') })).toBe('200.100.603');
    expect(await refusal({})).toBe('200.100.601');
    expect(await refusal({ [name]: token, paymentBrand: 'PAYPAL' })).toBe('100.100.700');
    expect(await refusal({ [name]: token, paymentBrand: 'MASTER' })).toBe('100.100.700');
    // All of that used up nothing.
    expect(await refusal({ [name]: token })).toBe(APPROVED);
  });
});

describe('what the token of a wallet says', () => {
  it.each(['applePay', 'samsungPay', 'clickToPay'])(
    'is compared: the amount and currency of %s',
    async (wallet) => {
      const token = await byToken(wallet);
      expect(await codeOf(pay({ ...token, amount: '92.01' }))).toBe('100.550.701');
      expect(await codeOf(pay({ ...token, currency: 'USD' }))).toBe('100.550.702');
      const yen = { amount: '92.00', currency: 'JPY' };
      const inYen = await byToken(wallet, yen);
      expect(await codeOf(pay({ ...inYen, ...yen }))).toBe(APPROVED);
    },
  );

  it('is compared: the merchant of Google Pay', async () => {
    const refused = await pay(await byToken('googlePay', { entityId: 'f'.repeat(32) }));
    expect(refused.result.code).toBe('200.100.603');
    expect(refused.result.description).toContain('another merchant');
  });

  it('is compared: the DPA of Click to Pay, and who has signed', async () => {
    const refused = await pay(await byToken('clickToPay', { srcDpaId: 'another-shop' }));
    expect(refused.result.code).toBe('200.100.603');
    expect(refused.result.description).toContain('another merchant');
    const { 'clickToPay.paymentToken': token = '', ...brand } = await byToken('clickToPay');
    const none = Buffer.from('{"alg":"none","kid":"sluice-test-src"}').toString('base64url');
    const unsigned = `${none}.${token.split('.')[1]}.`;
    const { result } = await pay({ ...brand, 'clickToPay.paymentToken': unsigned });
    expect(result.code).toBe('200.100.603');
    expect(result.description).toContain('is not served');
  });

  it.each([
    ['visa', 'VISA', '0000'],
    ['mastercard', 'MASTER', '5454'],
    ['amex', 'AMEX', '7770'],
    ['discover', 'DISCOVER', '9498'],
  ])('is the card with Click to Pay, whose own brand is paid with: %s', async (id, brand, last) => {
    const paid = await pay(await byToken('clickToPay', { srcDigitalCardId: id }));
    expect(paid).toMatchObject({
      ...{ paymentBrand: 'CLICK_TO_PAY', brandResult: brand, result: { code: APPROVED } },
      card: { last4Digits: last },
    });
  });

  const withNumber = ['googlePay', 'clickToPay'];
  it.each(withNumber)('is the card’s own number with %s, stored like any other', async (wallet) => {
    const token = await byToken(wallet, { 'card.numberType': 'PAN' });
    const paid = await pay({ ...token, createRegistration: 'true' });
    expect(paid).toMatchObject({ ...SHOWN, result: { code: APPROVED } });
    expect(paid).not.toHaveProperty('threeDSecure');
    const stored = `/v1/registrations/${String(paid['registrationId'])}/payments`;
    expect(await codeOf(send('POST', stored, MONEY))).toBe(APPROVED);
  });

  it('is authenticated as a card is, where it is a test card for 3-D Secure by its own number', async () => {
    const browser = Object.fromEntries(
      Object.entries(BROWSER).map(([name, value]) => [`customer.browser.${name}`, value]),
    );
    const token = { 'card.number': '4200000000000026', 'card.numberType': 'PAN' };
    const paid = await pay({ ...(await byToken('googlePay', token)), ...browser });
    expect(paid).toMatchObject({
      ...{ paymentMethod: 'WA', result: { code: APPROVED } },
      threeDSecure: { authenticationStatus: 'Y', flow: 'frictionless', liabilityShifts: true },
    });
    const ofDevice = { ...token, 'card.numberType': 'DPAN' };
    const byDevice = await pay(await byToken('googlePay', ofDevice));
    expect(byDevice.result.code).toBe(APPROVED);
    expect(byDevice).not.toHaveProperty('threeDSecure.authenticationStatus');
  });

  it.each(['applePay', 'clickToPay'])('is the holder with %s', async (wallet) => {
    const token = await byToken(wallet, { 'card.holder': 'Jane Jones' });
    expect(await pay(token)).toMatchObject({
      card: { holder: 'Jane Jones' },
    });
  });

  it('is one card: two wallets contradict each other', async () => {
    const fields = { ...(await byToken('applePay')), ...(await byToken('googlePay')) };
    expect((await pay(fields)).result.parameterErrors).toEqual([
      expect.objectContaining({ name: 'applePay.paymentToken' }),
    ]);
  });
});

describe('a token that was used', () => {
  it(
    'is refused after a restart, and one that was not is taken',
    async () => {
      const [used, unused] = [await byToken('applePay'), await byToken('applePay')];
      expect(await codeOf(pay(used))).toBe(APPROVED);
      await sandbox.stop();
      sandbox = await start(folder);
      expect(await codeOf(pay(used))).toBe('800.110.100');
      expect(await codeOf(pay(unused))).toBe(APPROVED);
    },
    START_WITHIN_MS,
  );
});
