import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { someBrokerListens } from './broker-probe.js';

describe('a broker', () => {
  it('listens where one of several addresses takes connections', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await someBrokerListens(['127.0.0.1:1', `127.0.0.1:${port}`], 5_000)).toBe(true);
    server.close();
    await once(server, 'close');
  });

  it('may begin to listen a moment later', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const found = someBrokerListens([`127.0.0.1:${port}`], 10_000);
    server.listen(port, '127.0.0.1');
    expect(await found).toBe(true);
    server.close();
    await once(server, 'close');
  });

  it.each([['127.0.0.1:1'], ['no-such-host.invalid:9092'], ['127.0.0.1']])(
    'does not listen at %s',
    async (broker) => {
      expect(await someBrokerListens([broker], 300)).toBe(false);
    },
  );
});
