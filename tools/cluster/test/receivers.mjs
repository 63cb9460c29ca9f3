// Receivers of notifications in a process of their own: `node receivers.mjs '["answers", "hangs"]'`. All of them
// answer until they are told to misbehave, each in the way of its name. What they hear, decrypted with the secret
// in the environment, and where each of them is go to the process that has started this one.
import { Buffer } from 'node:buffer';
import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const FLOOD_MEGABYTES = 10;
const DRIP_EVERY_MS = 1_000;
/** Long enough to be given up for a while, and often enough to be there between two kills. */
const THERE_FOR_MS = 15_000;

/** @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, calls: number) => boolean | void} Way */

/** What each does when it is called; true: whoever calls may read an acknowledgement. @type {Record<string, Way>} */
const ways = {
  answers: (_, response) => {
    response.writeHead(200).end();
    return true;
  },
  hangs: () => undefined,
  resets: ({ socket }) => void socket.resetAndDestroy(),
  fails: (_, response) => void response.writeHead(500).end('broken'),
  isBusy: (_, response) => void response.writeHead(503, { 'retry-after': '5' }).end(),
  refuses: (_, response) => void response.writeHead(404).end(),
  redirects: (_, response) => {
    response.writeHead(302, { location: elsewhere ?? '' }).end();
  },
  floods: (_, response) => {
    response.writeHead(200);
    flood(response);
    return true;
  },
  failsWithFloods: (_, response) => {
    response.writeHead(500);
    flood(response);
  },
  closesAfterHeaders: ({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    return true;
  },
  dripsHeaders: ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'x-more: 1\r\n');
  },
  dripsAnswers: ({ socket }, response) => {
    response.writeHead(200).flushHeaders();
    drip(socket, '1\r\nx\r\n');
    return true;
  },
  talksNonsense: ({ socket }) => void socket.end('220 mail.example ESMTP\r\n'),
  isAway: ({ socket }) => void socket.destroy(),
  isFlaky: (request, response, calls) => {
    const [now = 'answers'] = FLAKY.slice(calls % FLAKY.length);
    return ways[now]?.(request, response, calls);
  },
  comesAndGoes: (request, response, calls) => {
    const isThere = Math.floor(Date.now() / THERE_FOR_MS) % 2 === 0;
    return (isThere ? ways['answers'] : ways['fails'])?.(request, response, calls);
  },
};

/** A third of them fail, each in another way. */
const FLAKY = [
  ...['answers', 'fails', 'answers', 'answers', 'resets', 'answers', 'answers', 'hangs'],
  ...['answers', 'closesAfterHeaders', 'answers', 'redirects', 'answers'],
];

/** @param {import('node:http').ServerResponse} response */
function flood(response) {
  let sent = 0;
  const more = () => {
    while (sent < FLOOD_MEGABYTES) {
      sent += 1;
      if (!response.write(MEGABYTE)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}

/** @param {import('node:net').Socket} socket @param {string} text */
function drip(socket, text) {
  const timer = setInterval(() => socket.write(text), DRIP_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

/** @param {string} body @param {import('node:http').IncomingHttpHeaders} headers */
function opened(body, headers) {
  const hex = body.startsWith('{') ? JSON.parse(body).encryptedBody : body;
  /** @param {string} name */
  const bytesOf = (name) => Buffer.from(String(headers[name]), 'hex');
  const key = Buffer.from(process.env['SECRET'] ?? '', 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytesOf('x-initialization-vector'));
  cipher.setAuthTag(bytesOf('x-authentication-tag'));
  return JSON.parse(cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8'));
}

/** Where those that redirect send whoever follows. @type {string | undefined} */
let elsewhere;
let isMisbehaving = false;

/** @param {string} name @param {string} way */
async function start(name, way) {
  const server = createServer();
  let calls = 0;
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    if (isMisbehaving && way === 'isAway') socket.resetAndDestroy();
  });
  server.on('request', (request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { type, payload } = opened(Buffer.concat(chunks).toString('utf8'), request.headers);
      const now = isMisbehaving ? way : 'answers';
      const atMs = Date.now();
      const isAcknowledged = ways[now]?.(request, response, (calls += 1)) === true;
      const { id: transactionId, sequence } = payload ?? {};
      const what = { id: request.headers['webhook-id'], type, transactionId, sequence };
      process.send?.({ heard: { receiver: name, atMs, isAcknowledged, ...what } });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/hook`;
}

process.on('message', (/** @type {{ isMisbehaving: boolean, elsewhere: string }} */ message) => {
  ({ isMisbehaving, elsewhere } = message);
});
process.on('disconnect', () => process.exit());

/** @type {Record<string, string>} */
const urls = {};
for (const [name, way] of Object.entries(JSON.parse(process.argv[2] ?? '{}'))) {
  urls[name] = await start(name, way);
}
process.send?.({ urls });
