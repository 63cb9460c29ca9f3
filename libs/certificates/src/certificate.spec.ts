import { beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { connect, createServer, type Server } from 'node:tls';
import { once } from 'node:events';
import { createAuthority, issueCertificate, type SignedKey } from './certificate.js';

const from = new Date();
let authority: SignedKey;
let other: SignedKey;

beforeAll(async () => {
  const wish = { validDays: 2, from };
  authority = await createAuthority({ commonName: 'Test authority', ...wish });
  other = await createAuthority({ commonName: 'Test authority', ...wish });
});

function leaf(by: SignedKey, name: string): Promise<SignedKey> {
  return issueCertificate(by, {
    commonName: name,
    dnsNames: ['localhost', `${name}.sluice.svc`],
    addresses: ['127.0.0.1'],
    uris: [`spiffe://sluice/${name}`],
    validDays: 1,
    from,
  });
}

describe('an authority', () => {
  it('may sign, and nothing below it may', async () => {
    const certificate = new X509Certificate(authority.certificate);
    expect([certificate.ca, certificate.subject]).toEqual([true, 'CN=Test authority']);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(new X509Certificate((await leaf(authority, 'vault')).certificate).ca).toBe(false);
  });
});

describe('a certificate', () => {
  it('names its service in every way that is asked for, and ends when it should', async () => {
    const certificate = new X509Certificate((await leaf(authority, 'vault')).certificate);
    expect(certificate.subject).toBe('CN=vault');
    expect(certificate.subjectAltName).toBe(
      'URI:spiffe://sluice/vault, DNS:localhost, DNS:vault.sluice.svc, IP Address:127.0.0.1',
    );
    const hours = (Date.parse(certificate.validTo) - from.getTime()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect(Date.parse(certificate.validFrom)).toBeLessThan(from.getTime());
  });

  it('has a number of its own and is its authority’s, whose name alone does not count', async () => {
    const [first, second] = await Promise.all([leaf(authority, 'vault'), leaf(authority, 'vault')]);
    const numbers = [first, second].map(({ certificate }) => new X509Certificate(certificate));
    expect(numbers[0]?.serialNumber).toMatch(/^[0-9A-F]{32}$/);
    expect(numbers[0]?.serialNumber).not.toBe(numbers[1]?.serialNumber);
    const issuers = [authority, other].map(({ certificate }) => new X509Certificate(certificate));
    expect(issuers.map(({ publicKey }) => numbers[0]?.verify(publicKey))).toEqual([true, false]);
  });
});

describe('two sides that know each other by certificate', () => {
  async function greet(clientAuthority: SignedKey): Promise<string> {
    const [server, client] = [await leaf(authority, 'vault'), await leaf(clientAuthority, 'edge')];
    const listening: Server = createServer(
      {
        ...{ cert: server.certificate, key: server.key, ca: authority.certificate },
        ...{ requestCert: true, rejectUnauthorized: true },
      },
      (socket) => {
        socket.on('error', () => undefined);
        socket.end(socket.getPeerCertificate().subject.CN);
      },
    ).listen(0, '127.0.0.1');
    let heard = '';
    listening.on('tlsClientError', () => (heard = 'refused'));
    await once(listening, 'listening');
    const { port } = listening.address() as { port: number };
    const socket = connect({
      ...{ port, host: '127.0.0.1', servername: 'vault.sluice.svc' },
      ...{ cert: client.certificate, key: client.key, ca: authority.certificate },
    });
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
    // Whether the refusal arrives or only the end of the connection is a matter of luck.
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    listening.close();
    return heard;
  }

  it('meet', async () => {
    expect(await greet(authority)).toBe('edge');
  });

  it('do not meet when another authority of the same name has signed', async () => {
    expect(await greet(other)).toBe('refused');
  });
});
