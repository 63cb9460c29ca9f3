// A receiver of webhooks. Needs Node 20.19 and nothing else.
//   WEBHOOK_SECRETS=<64 hexadecimal digits>[,<the one before>] [PORT=3000] node receiver.js
import { Buffer } from 'node:buffer';
import { createDecipheriv } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/** No notification is larger. */
const BODY_BYTES_MAX = 1_048_576;

/**
 * The secrets of a setting: whoever starts without one is to see it at once.
 * @throws Error
 */
export function secretsOf(/** @type {string} */ setting) {
  const secrets = setting.split(',');
  if (secrets.every((secret) => /^[0-9a-f]{64}$/i.test(secret))) return secrets;
  throw new Error(
    'WEBHOOK_SECRETS must be 64 hexadecimal digits, or two such secrets with a comma between',
  );
}

/**
 * What a notification says.
 * @param {{ iv: string, tag: string, body: string }} sent the two headers, and the body as it came
 * @param {readonly string[]} secrets while a secret is rotated: the new one and the one before
 * @throws Error unless it was encrypted with one of the secrets, and is exactly as it was sent
 */
export function opened({ iv, tag, body }, secrets) {
  const hex = body.startsWith('{') ? JSON.parse(body).encryptedBody : body;
  const [ivBytes, tagBytes, encrypted] = [iv, tag, hex].map(bytesOf);
  // A short tag is easy to guess, and Node would take it.
  if (ivBytes.length !== 12 || tagBytes.length !== 16) throw new Error('not a notification');
  for (const secret of secrets) {
    const cipher = createDecipheriv('aes-256-gcm', bytesOf(secret), ivBytes);
    cipher.setAuthTag(tagBytes);
    try {
      return JSON.parse(Buffer.concat([cipher.update(encrypted), cipher.final()]).toString('utf8'));
    } catch {
      // Perhaps the other secret.
    }
  }
  throw new Error('not encrypted with a secret of ours');
}

/** `Buffer.from` would leave out what is no digit. */
function bytesOf(/** @type {unknown} */ hex) {
  if (typeof hex !== 'string' || !/^(?:[0-9a-f]{2})*$/i.test(hex))
    throw new Error('not hexadecimal');
  return Buffer.from(hex, 'hex');
}

/** Answers 200 once the notification is kept: whatever else is answered, it comes again. */
export function receiver(
  /** @type {readonly string[]} */ secrets,
  /** @type {(notification: any) => void} */ keep,
) {
  return createServer(async (request, response) => {
    const chunks = [];
    let bytes = 0;
    try {
      // Throws when the connection is lost, which is to end this call and not the program.
      for await (const chunk of request) {
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX) return void response.writeHead(413).end();
        chunks.push(chunk);
      }
      const iv = String(request.headers['x-initialization-vector']);
      const tag = String(request.headers['x-authentication-tag']);
      keep(opened({ iv, tag, body: Buffer.concat(chunks).toString('utf8') }, secrets));
      response.writeHead(200).end();
    } catch {
      response.writeHead(401).end();
    }
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const secrets = secretsOf(process.env['WEBHOOK_SECRETS'] ?? '');
  const port = Number(process.env['PORT'] ?? 3000);
  receiver(secrets, (notification) => {
    process.stdout.write(`${notification.type} ${notification.payload?.id ?? ''}\n`);
  }).listen(port, '127.0.0.1', () => {
    process.stdout.write(`Waiting for notifications at http://127.0.0.1:${port}/hook\n`);
  });
}
