import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Frame, FrameReader, FRAMES_PROTOCOL, FrameWriter } from './frames.js';
import { InternalClient, type InternalClientOptions } from './internal-client.js';
import { InternalServer, type InternalServerOptions } from './internal-server.js';
import { createLogger } from './logger.js';

/** Long enough for a busy machine. */
export const TIMEOUT_MS = 5_000;

const logger = createLogger({ service: 'ledger', level: 'silent' });
const closers: (() => unknown)[] = [];

/** Ends everything that a test began, in the reverse order. */
export async function endEverything(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** What a path answers, before it is made JSON. */
export type Answer = (parameters: never) => Promise<unknown>;

/** A server with these paths, each of which answers in JSON. */
export async function ledger(
  answers: Readonly<Record<string, Answer>>,
  options: Partial<InternalServerOptions> = {},
): Promise<{ url: string; server: InternalServer }> {
  const server = new InternalServer({ logger, ...options });
  for (const [path, answer] of Object.entries(answers)) {
    const text = async (parameters: unknown): Promise<string> =>
      JSON.stringify(await answer(parameters as never));
    server.route({ path, callers: [], answer: text });
  }
  server.route({
    path: '/echo',
    callers: [],
    answer: (given) => Promise.resolve(JSON.stringify(given)),
  });
  const url = await server.listen('127.0.0.1', 0);
  closers.push(() => server.close());
  return { url, server };
}

/** A wire that counts connections, and can be cut. */
export async function wireTo(
  url: string,
): Promise<{ url: string; open: Set<Socket>; made: () => number }> {
  const open = new Set<Socket>();
  let made = 0;
  const wire = createServer((client) => {
    made += 1;
    open.add(client);
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
    client.on('close', () => open.delete(client));
  });
  return { url: await listening(wire, () => cut(open)), open, made: () => made };
}

/** Resets them. */
export function cut(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.resetAndDestroy();
}

/** Starts a server on a free port; its URL. */
export async function listening(
  server: Server,
  closed: () => void = () => undefined,
): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    closed();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** A client that has not called yet. */
export function clientOf(
  origin: string,
  options: Partial<InternalClientOptions> = {},
): InternalClient {
  const client = new InternalClient({ origin, ...options });
  closers.push(() => client.close());
  return client;
}

/** A client whose calls go as frames from now on. */
export async function framed(origin: string, options: Partial<InternalClientOptions> = {}) {
  const client = clientOf(origin, options);
  await client.reach({ path: '/echo', body: '{}', timeoutMs: TIMEOUT_MS }, 1);
  if (!client.isFramed) throw new Error('The server offers no frames.');
  return client;
}

/** Posts these parameters. */
export const post = (
  client: InternalClient,
  path: string,
  parameters: unknown = {},
  timeoutMs = TIMEOUT_MS,
) => client.post({ path, body: JSON.stringify(parameters), timeoutMs });

/** A promise and what ends it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** A client of the test's own, which speaks frames as it likes. */
export async function handMade(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  closers.push(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    `GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ${FRAMES_PROTOCOL}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => frames.push(frame));
  socket.on('data', (chunk: Buffer) => reader.read(chunk));
  return { socket, writer: new FrameWriter(socket), frames };
}
