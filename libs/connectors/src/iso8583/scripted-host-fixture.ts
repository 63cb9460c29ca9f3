import { createServer, type Socket } from 'node:net';
import { framed, FrameReader } from './frames.js';
import { type Message, type MessageFields, pack, unpack } from './message-format.js';

const LENGTH_BYTES = 2;

/** A host in the test's hand, for what jPOS does not do. */
export interface ScriptedHost {
  readonly port: number;
  /** All that has arrived, and over which connection, counted from 0. */
  readonly received: readonly (Message & { readonly connection: number })[];
  readonly connections: number;
  /** What it answers to a message; undefined: nothing. */
  answers: (message: Message) => readonly Message[];
  /** Sends a message over the newest connection. */
  send(message: Message): void;
  /** Resolves when so many messages of a type have arrived. */
  arrived(type: string, count?: number): Promise<void>;
  close(): Promise<void>;
}

/** The codes by which 1993 approves, by the kind of message. */
const APPROVING: Readonly<Record<string, string>> = { '8': '800', '4': '400' };

/** The answer to a message: its own fields with others. */
export function answerTo({ type, fields }: Message, changed: MessageFields = {}): Message {
  const [version = '', kind = '', asked, from] = type;
  const answerType = `${version}${kind}${asked === '0' ? '1' : '3'}${from === '1' ? '0' : from}`;
  const responseCode = version === '0' ? '00' : (APPROVING[kind] ?? '000');
  const { primaryAccountNumber: _, expiry: __, additionalData: ___, ...echoed } = fields;
  return { type: answerType, fields: { ...echoed, responseCode, ...changed } };
}

/** Starts one that approves everything. */
export async function startScriptedHost(): Promise<ScriptedHost> {
  const received: (Message & { readonly connection: number })[] = [];
  const sockets: Socket[] = [];
  let waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];
  const host = {
    received,
    answers: (message: Message): readonly Message[] => [answerTo(message)],
    get connections() {
      return sockets.length;
    },
    send: (message: Message) => {
      sockets.at(-1)?.write(framed(pack(message, 'ascii'), LENGTH_BYTES));
    },
    arrived: (type: string, count = 1) =>
      new Promise<void>((resolve) => {
        const isOver = () => received.filter((each) => each.type === type).length >= count;
        if (isOver()) resolve();
        else waiting.push({ isOver, resolve });
      }),
  };
  const server = createServer((socket) => {
    const connection = sockets.push(socket) - 1;
    const frames = new FrameReader(LENGTH_BYTES);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of frames.take(chunk) ?? []) {
        const message = unpack(bytes, 'ascii');
        if (message === undefined) continue;
        received.push({ ...message, connection });
        for (const answer of host.answers(message)) {
          socket.write(framed(pack(answer, 'ascii'), LENGTH_BYTES));
        }
        for (const each of waiting.filter(({ isOver }) => isOver())) each.resolve();
        waiting = waiting.filter(({ isOver }) => !isOver());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return Object.assign(host, { port, close });
}
