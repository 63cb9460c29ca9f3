const { startSandbox } = require('./sandbox.js');
const { Shop } = require('./shop.js');

const APPROVED = '000.100.110';
const REFUSED_BY_THE_BANK = '800.100.155';
const NOT_FOUND = '700.400.580';

// On a machine that does much else, a start or a reset takes longer than Jest's five seconds.
jest.setTimeout(60_000);

let sandbox;
let shop;

beforeAll(async () => {
  sandbox = await startSandbox();
  shop = new Shop(sandbox.url);
});
beforeEach(() => fetch(`${sandbox.management}/reset`, { method: 'POST' }));
afterAll(() => sandbox?.stop());

test('an order is paid when it is shipped, and partly given back', async () => {
  const order = await shop.pay({ paymentType: 'PA', merchantTransactionId: 'order-0001' });
  expect(order.result.code).toBe(APPROVED);

  const shipped = await shop.capture(order.id, '92.00');
  expect(shipped.result.code).toBe(APPROVED);

  const returned = await shop.refund(shipped.id, '10.00');
  expect(returned).toMatchObject({ amount: '10.00', result: { code: APPROVED } });
});

test('nothing more is given back than was paid', async () => {
  const paid = await shop.pay();
  const tooMuch = await shop.refund(paid.id, '92.01');
  expect(tooMuch.result.code).toBe('700.400.200');
});

test('a card may be declined', async () => {
  const forced = { 'customParameters[forceResultCode]': REFUSED_BY_THE_BANK };
  const declined = await shop.pay(forced);
  expect(declined.result.code).toBe(REFUSED_BY_THE_BANK);
});

test('a payment that timed out is repeated, and paid once', async () => {
  const slow = { 'customParameters[simulator.fault]': 'delay:1500' };
  const attempt = { idempotencyKey: 'order-1' };
  await expect(shop.pay(slow, { ...attempt, timeoutMs: 500 })).rejects.toThrow('timeout');

  const paid = await shop.pay(slow, attempt);
  expect(paid.result.code).toBe(APPROVED);
  const again = await shop.pay(slow, attempt);
  expect(again.id).toBe(paid.id);
});

test('every test begins with an empty sandbox', async () => {
  const before = await shop.find('order-0001');
  expect(before.result.code).toBe(NOT_FOUND);
});
