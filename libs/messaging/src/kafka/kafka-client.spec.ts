import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate, type SignedKey } from '@sluice/certificates';
import type { TlsFiles } from '@sluice/service';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { brokerSockets, type KafkaClientOptions } from './kafka-client.js';

const validity = { validDays: 1, from: new Date() };
let authority: SignedKey;
let other: SignedKey;

beforeAll(async () => {
  authority = await createAuthority({ commonName: 'Test authority', ...validity });
  other = await createAuthority({ commonName: 'Test authority', ...validity });
});

async function filesOf(name: string, trusted = authority): Promise<TlsFiles> {
  const names = { dnsNames: ['kafka-0.kafka'], addresses: ['127.0.0.1'] };
  const leaf = await issueCertificate(authority, { commonName: name, ...names, ...validity });
  return { cert: leaf.certificate, key: leaf.key, ca: trusted.certificate };
}

describe('a connection to a broker with certificates', () => {
  let server: Server;
  let port: number;
  let serialNumbers: string[];

  beforeEach(async () => {
    serialNumbers = [];
    server = createServer({ ...(await filesOf('kafka')), requestCert: true }, (socket) => {
      serialNumbers.push(socket.getPeerCertificate().serialNumber);
      socket.on('error', () => undefined).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(() => {
    server.close();
  });

  async function connectTo(
    host: string,
    options: Pick<KafkaClientOptions, 'route' | 'tls'>,
  ): Promise<string> {
    const onConnect = (): void => undefined;
    const socket = brokerSockets(options)({ host, port, ssl: {}, onConnect });
    try {
      await once(socket, 'secureConnect');
      // The server ends it once it has seen who came.
      await once(socket.resume(), 'close');
      return 'connected';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'failed';
    }
  }

  it('presents the certificate of the moment, so that a renewal needs no restart', async () => {
    const tls = { current: await filesOf('edge') };
    expect(await connectTo('127.0.0.1', { tls })).toBe('connected');
    expect(await connectTo('127.0.0.1', { tls })).toBe('connected');
    tls.current = await filesOf('edge');
    expect(await connectTo('127.0.0.1', { tls })).toBe('connected');
    expect(serialNumbers[0]).toBe(serialNumbers[1]);
    expect(serialNumbers[2]).not.toBe(serialNumbers[0]);
  });

  it('is made only to the one that was meant, wherever the way leads', async () => {
    const tls = { current: await filesOf('edge') };
    const route = () => ({ host: '127.0.0.1', port });
    expect(await connectTo('kafka-0.kafka', { tls, route })).toBe('connected');
    expect(await connectTo('kafka-1.kafka', { tls, route })).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await connectTo('127.0.0.2', { tls, route })).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(serialNumbers).toHaveLength(1);
  });

  it('is not made to one whom another authority has signed, even of the same name', async () => {
    const tls = { current: await filesOf('edge', other) };
    expect(await connectTo('127.0.0.1', { tls })).toMatch(
      /^(?:SELF_SIGNED|UNABLE_TO_VERIFY|CERT_SIG)/,
    );
    expect(serialNumbers).toEqual([]);
  });
});
