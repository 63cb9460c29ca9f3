import { describe, expect, it } from '@jest/globals';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createMarkedCertificate } from './marked-certificate.js';

const wish = { validDays: 1, from: new Date() };
const mark = { type: '1.2.840.113635.100.6.29', value: Buffer.from('0500', 'hex') };

describe('a certificate with marks', () => {
  it('leads to whoever signed it, and has its marks', async () => {
    const root = await createMarkedCertificate({ ...wish, commonName: 'Root', isAuthority: true });
    const leaf = await createMarkedCertificate({
      ...{ ...wish, commonName: 'Leaf', isAuthority: false, issuer: root, marks: [mark] },
    });
    const [above, below] = [root, leaf].map(({ certificate }) => new X509Certificate(certificate));
    expect([above?.ca, below?.ca]).toEqual([true, false]);
    expect(below?.checkIssued(above!)).toBe(true);
    expect(below?.verify(above!.publicKey)).toBe(true);
    // The object identifier, and the value in its octets.
    expect(below?.raw.toString('hex')).toContain('06092a864886f76364061d04020500');
  });

  it('has the key that it says', async () => {
    const { certificate, key } = await createMarkedCertificate({
      ...{ ...wish, commonName: 'Root', isAuthority: true },
    });
    expect(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });
});
