import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ATTEMPT_TIMEOUT_MS } from '@sluice/domain-webhooks';
import { OutboundHosts } from '@sluice/service';
import { once } from 'node:events';
import type { lookup } from 'node:dns';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { LocalReceiver } from '../test/webhooks-fixture.js';
import { ReceiverCalls } from './receiver-calls.js';

/** Whatever connects to this machine's port is counted: nothing may. */
let inside: Server;
let connections = 0;
const opened = new Set<Socket>();
let calls: ReceiverCalls | undefined;
/** How often names were looked up as a spec says. */
let lookedUp = 0;

beforeAll(async () => {
  inside = createServer((socket) => {
    connections += 1;
    opened.add(socket);
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  inside.listen(0, '0.0.0.0');
  await once(inside, 'listening');
});
afterEach(async () => {
  await calls?.close();
  calls = undefined;
  connections = 0;
  lookedUp = 0;
});
afterAll(async () => {
  for (const socket of opened) socket.destroy();
  inside.close();
  await once(inside, 'close');
});

const portInside = () => (inside.address() as AddressInfo).port;

/** Names that lead where a spec wants, each time they are asked to the next of its addresses. */
function leading(addresses: readonly (readonly string[])[]): typeof lookup {
  let asked = 0;
  const found = (
    _host: string,
    _options: unknown,
    callback: (error: null, found: readonly { address: string; family: number }[]) => void,
  ) => {
    const now = addresses[Math.min(asked, addresses.length - 1)] ?? [];
    asked += 1;
    lookedUp += 1;
    const family = (address: string) => (address.includes(':') ? 6 : 4);
    callback(
      null,
      now.map((address) => ({ address, family: family(address) })),
    );
  };
  return found as unknown as typeof lookup;
}

function strictly(lookUp?: typeof lookup): ReceiverCalls {
  const rules = { outbound: new OutboundHosts([], lookUp), mayBePlain: true };
  calls = new ReceiverCalls({ rules, callsPerReceiverMax: 2, machine: { now: () => 0 } });
  return calls;
}

const HEADERS = { 'Content-Type': 'text/plain' };
const called = async (url: string, by: ReceiverCalls) => {
  const { outcome } = (await by.call({ url, headers: HEADERS, body: 'x' }))!;
  return 'reason' in outcome ? outcome.reason : String(outcome.statusCode);
};

/** S-SSRF-02: this machine, private networks, clouds' metadata, in the spellings that parsers know. */
const INSIDE: readonly string[] = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1'],
  ...['017700000001', '127.0.0.1.', '0', '0.0.0.0', '0x0', '[::]', '[::1]', '①②⑦.⓪.⓪.①'],
  ...['127。0。0。1', '%31%32%37.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
  ...['loc%61lhost', 'vault', 'payments.sluice.svc', 'metadata.google.internal', 'nas.lan'],
  ...['printer.local', 'router.home.arpa', 'db.corp', '10.0.0.1', '10.1', '167772161'],
  ...['012.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '100.64.0.1'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '168.63.129.16'],
  ...['[fd00:ec2::254]', '[fe80::1]', '[fc00::1]', '[fec0::1]', '192.0.0.192', '198.18.0.1'],
  ...['224.0.0.1', '255.255.255.255', '240.0.0.1', '[ff02::1]', '[::ffff:127.0.0.1]'],
  ...['[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::10.0.0.1]', '[2002:7f00:1::]'],
  ...['[2001:db8::1]', '[::ffff:8.8.8.8]'],
];

describe('a receiver that hangs', () => {
  it('is not called by those that have waited too long for the calls before theirs', async () => {
    const silent = createServer((socket) => void opened.add(socket));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    silent.unref();
    const { port } = silent.address() as AddressInfo;
    const rules = { outbound: new OutboundHosts('all'), mayBePlain: true };
    // Enough for the first one on a machine that is busy.
    const beginsWithinMs = 1_000;
    const machine = { now: () => 0 };
    calls = new ReceiverCalls({ rules, callsPerReceiverMax: 1, beginsWithinMs, machine });
    const call = { url: `http://127.0.0.1:${port}/`, headers: HEADERS, body: 'x' };
    const first = calls.call(call);
    await once(silent, 'connection');
    expect(await calls.call(call)).toBeUndefined();
    await calls.close();
    expect((await first)?.outcome).toEqual({ kind: 'lost', reason: 'timeout' });
  });
});

describe('an address inside', () => {
  it('is in none of 60 and more spellings called (S-SSRF-02)', async () => {
    expect(INSIDE.length).toBeGreaterThanOrEqual(60);
    const by = strictly();
    const ports = ['', `:${portInside()}`];
    const urls = INSIDE.flatMap((host) =>
      ports.flatMap((port) => [`https://${host}${port}/hook`, `http://${host}${port}/hook`]),
    );
    const outcomes = await Promise.all(urls.map((url) => called(url, by)));
    expect(urls.filter((_, at) => outcomes[at] !== 'notAllowed')).toEqual([]);
    expect(connections).toBe(0);
  });

  it.each([
    ['another scheme', 'ftp://shop.example/hook'],
    ['a file', 'file:///etc/passwd'],
    ['gopher', 'gopher://shop.example:25/_x'],
    ['a user', 'https://user:password@shop.example/'],
    ['a host as user', 'https://shop.example@127.0.0.1/'],
    ['a backslash', 'https://shop.example\\@127.0.0.1/'],
    ['a line end', 'https://shop.example/\r\nHost: vault'],
    ['a port of something else', 'https://shop.example:6379/'],
    ['no host', 'https:///127.0.0.1/'],
    ['nothing', ''],
  ])('is not called by a trick: %s', async (_, url) => {
    expect(await called(url, strictly())).toBe('notAllowed');
  });

  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00::1'],
    ['100.64.0.1'],
  ])('is not called by a name that leads to it: %s', async (address) => {
    expect(await called('http://shop.example/', strictly(leading([[address]])))).toBe(
      'notReachable',
    );
    expect([lookedUp, connections]).toEqual([1, 0]);
  });

  it('is not called by a name that leads to it besides, or later', async () => {
    const besides = leading([['192.0.43.8', '127.0.0.1']]);
    expect(await called('http://shop.example/', strictly(besides))).toBe('notReachable');
    await calls?.close();
    // Looked at once: nobody asks again for an answer that may be another one.
    const rebound = leading([['127.0.0.1'], ['192.0.43.8']]);
    expect(await called('http://rebinding.example/', strictly(rebound))).toBe('notReachable');
    expect([lookedUp, connections]).toEqual([2, 0]);
  });
});

describe('a receiver', () => {
  let receiver: LocalReceiver;
  const lenient = () => {
    const rules = { outbound: new OutboundHosts('all'), mayBePlain: true };
    calls = new ReceiverCalls({ rules, callsPerReceiverMax: 2, machine: { now: () => 0 } });
    return calls;
  };

  async function raw(answer: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      return await called(`http://127.0.0.1:${port}/`, lenient());
    } finally {
      await calls?.close();
      server.close();
    }
  }

  it('that redirects is not followed', async () => {
    receiver = await LocalReceiver.start();
    const location = `http://127.0.0.1:${portInside()}/`;
    const outcome = await raw((socket) =>
      socket.end(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
    );
    await receiver.close();
    expect([outcome, connections]).toEqual(['302', 0]);
  });

  it('that answers 10 MB has answered: the rest is not read', async () => {
    const outcome = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10485760\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
        socket.once('drain', more);
      };
      more();
    });
    expect(outcome).toBe('200');
  });

  it(
    'whose answer never ends has answered: nobody waits for the rest',
    async () => {
      const outcome = await raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n');
      });
      expect(outcome).toBe('200');
    },
    // Long before an attempt without an answer is over.
    ATTEMPT_TIMEOUT_MS / 3,
  );

  it('that closes after its headers has answered', async () => {
    const outcome = await raw((socket) => {
      socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 9\r\n\r\n', () => socket.destroy());
    });
    expect(outcome).toBe('204');
  });

  it('that says it goes on has not answered', async () => {
    const outcome = await raw((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n', () => socket.destroy());
    });
    expect(outcome).toBe('connectionLost');
  });

  it('that is not there was sent nothing', async () => {
    expect(await called('http://127.0.0.1:9/', lenient())).toBe('notReachable');
  });
});
