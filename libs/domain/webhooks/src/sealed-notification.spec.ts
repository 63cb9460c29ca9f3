import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { WebhookSecret } from '@sluice/secrets';
import { opened, OTHER_SECRET, SAMPLE_SECRET } from './notification-fixture.js';
import { IV_HEADER, sealed, signatureHeaders, TAG_HEADER } from './sealed-notification.js';
import { secretBytes, webhookSecretOf } from './secret-bytes.js';

const SAMPLE_IV = new Uint8Array(12);
const SAMPLE_TEXT = '{"type":"PAYMENT"}';
const sample = { secret: SAMPLE_SECRET, iv: SAMPLE_IV } as const;

describe('a notification', () => {
  it('is the published sample where that is what is told (wire contract 9)', () => {
    expect(sealed(SAMPLE_TEXT, { ...sample, wrapper: 'none' })).toEqual({
      headers: {
        'Content-Type': 'text/plain',
        'X-Initialization-Vector': '000000000000000000000000',
        'X-Authentication-Tag': 'CE573FB7A41AB78E743180DC83FF09BD',
      },
      body: '0A3471C72D9BE49A8520F79C66BBD9A12FF9',
    });
  });

  it('is the same within JSON, under the content type of that', () => {
    const { headers, body } = sealed(SAMPLE_TEXT, { ...sample, wrapper: 'JSON' });
    expect(headers['Content-Type']).toBe('application/json');
    expect(headers[TAG_HEADER]).toBe('CE573FB7A41AB78E743180DC83FF09BD');
    expect(body).toBe('{"encryptedBody":"0A3471C72D9BE49A8520F79C66BBD9A12FF9"}');
  });

  it.each(['none', 'JSON'] as const)('is read again with its secret, wrapper %s', (wrapper) => {
    const text = JSON.stringify({ type: 'PAYMENT', payload: { holder: 'Łukasz 🙂' } });
    const iv = Uint8Array.from({ length: 12 }, (_, index) => index * 20);
    const sent = sealed(text, { secret: OTHER_SECRET, iv, wrapper });
    expect(sent.headers[IV_HEADER]).toBe('0014283C5064788CA0B4C8DC');
    expect(opened(sent, OTHER_SECRET)).toBe(text);
    expect(() => opened(sent, SAMPLE_SECRET)).toThrow();
  });

  it.each([0, 11, 13, 16])('has no initialization vector of %d bytes', (length) => {
    const sealing = { ...sample, iv: new Uint8Array(length), wrapper: 'none' } as const;
    expect(() => sealed(SAMPLE_TEXT, sealing)).toThrow(RangeError);
  });
});

describe('a secret', () => {
  it('is 64 hexadecimal digits in either case, and nothing else', () => {
    expect(secretBytes(webhookSecretOf('aB'.repeat(32))!)).toEqual(Buffer.alloc(32, 0xab));
    for (const text of ['', 'a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), ` ${'a'.repeat(64)}`]) {
      expect(webhookSecretOf(text)).toBeUndefined();
    }
  });

  it('that is none encrypts nothing', () => {
    expect(() => secretBytes(new WebhookSecret('abc'))).toThrow(TypeError);
  });

  it('prints nothing of itself', () => {
    const printed = [String(SAMPLE_SECRET), JSON.stringify({ SAMPLE_SECRET })];
    expect([...printed, inspect(SAMPLE_SECRET)].join()).not.toContain('0001');
  });
});

describe('the signature', () => {
  const signing = { deliveryId: 'delivery-1', sentAtMs: 1_614_265_330_999, body: 'AB12' };

  it('is what Standard Webhooks has: of the id, the second and the body as it is sent', () => {
    const hash = createHmac('sha256', Buffer.alloc(32, 0xff));
    const expected = hash.update('delivery-1.1614265330.AB12').digest('base64');
    expect(signatureHeaders({ ...signing, secrets: [OTHER_SECRET] })).toEqual({
      'webhook-id': 'delivery-1',
      'webhook-timestamp': '1614265330',
      'webhook-signature': `v1,${expected}`,
    });
  });

  it('is there once for each valid secret, so that whoever knows one of them is content', () => {
    const [first, second] = [SAMPLE_SECRET, OTHER_SECRET].map(
      (secret) => signatureHeaders({ ...signing, secrets: [secret] })['webhook-signature'],
    );
    const both = signatureHeaders({ ...signing, secrets: [SAMPLE_SECRET, OTHER_SECRET] });
    expect(both['webhook-signature']).toBe(`${first} ${second}`);
  });
});
