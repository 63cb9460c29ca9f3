import { connect, createServer, type Server, type Socket } from 'node:net';

const ERROR_MESSAGE = 'E'.charCodeAt(0);
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;
/** How PostgreSQL says severities where `lc_messages` is German. */
const GERMAN: Readonly<Record<string, string>> = {
  ERROR: 'FEHLER',
  FATAL: 'FATAL',
  PANIC: 'PANIK',
};

/**
 * Makes a PostgreSQL speak German: the severity that the driver shows is translated on its way, as a
 * server with that language sends it. The binaries of the tests have no translations.
 */
export async function germanServer(
  targetUrl: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let rest = Buffer.alloc(0);
    upstream.on('data', (bytes) => {
      const { whole, left } = translated(Buffer.concat([rest, bytes]));
      rest = left;
      client.write(whole);
    });
    client.on('data', (bytes) => upstream.write(bytes));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('end', () => other.end());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(targetUrl);
  url.port = String(typeof address === 'object' ? address?.port : 0);
  return {
    url: url.href,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The messages that are there as a whole, and the bytes of the one that is not. */
function translated(bytes: Buffer): { readonly whole: Buffer; readonly left: Buffer<ArrayBuffer> } {
  const messages: Buffer[] = [];
  let at = 0;
  while (bytes.length >= at + TYPE_BYTES + LENGTH_BYTES) {
    const end = at + TYPE_BYTES + bytes.readInt32BE(at + TYPE_BYTES);
    if (bytes.length < end) break;
    const message = bytes.subarray(at, end);
    messages.push(message[0] === ERROR_MESSAGE ? inGerman(message) : message);
    at = end;
  }
  return { whole: Buffer.concat(messages), left: Buffer.from(bytes.subarray(at)) };
}

/** Fields of one letter and a text each; `S` is the severity in the server's language. */
function inGerman(message: Buffer): Buffer {
  const fields = message
    .subarray(TYPE_BYTES + LENGTH_BYTES)
    .toString('utf8')
    .split('\0')
    .map((field) => (field.startsWith('S') ? `S${GERMAN[field.slice(1)] ?? ''}` : field))
    .join('\0');
  const body = Buffer.from(fields, 'utf8');
  const head = Buffer.alloc(TYPE_BYTES + LENGTH_BYTES);
  head[0] = ERROR_MESSAGE;
  head.writeInt32BE(LENGTH_BYTES + body.length, TYPE_BYTES);
  return Buffer.concat([head, body]);
}
