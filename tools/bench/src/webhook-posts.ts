import { IV_BYTES, sealed, signatureHeaders } from '@sluice/domain-webhooks';
import { newMessageId, random } from '@sluice/identifiers';
import { WebhookSecret } from '@sluice/secrets';
import { HttpClient } from '@sluice/service';

/*
 * A process that encrypts, signs and posts the same notification again and again, as many at once as webhooks
 * calls one receiver: the floor under what webhooks does. Told by its words: the address, the secret, the
 * payment's text and how many; it prints what it came to.
 */

/** What it prints. */
export interface Posted {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const AT_ONCE = 16;
const TIMEOUT_MS = 30_000;
const [, , address = '', secretText = '', text = '', countText = '0'] = process.argv;

const url = new URL(address);
const secret = new WebhookSecret(secretText);
const http = new HttpClient({ origin: url.origin, connectionsMax: AT_ONCE });

async function post(): Promise<void> {
  const nowMs = Date.now();
  const deliveryId = newMessageId(nowMs);
  const { headers, body } = sealed(text, { secret, iv: random(IV_BYTES), wrapper: 'none' });
  const signed = signatureHeaders({ deliveryId, sentAtMs: nowMs, body, secrets: [secret] });
  const { 'Content-Type': contentType = '', ...others } = headers;
  const result = await http.send({
    ...{ method: 'POST', path: url.pathname, body, timeoutMs: TIMEOUT_MS },
    headers: { ...others, ...signed, 'content-type': contentType },
  });
  if (result.kind !== 'answered') throw new Error(`a post was not answered: ${result.kind}`);
}

async function postMany(count: number): Promise<void> {
  let left = count;
  const posting = Array.from({ length: AT_ONCE }, async () => {
    for (; left > 0; left -= 1) await post();
  });
  await Promise.all(posting);
}

const count = Number(countText);
// Until then Node compiles.
await postMany(count / 4);
const before = process.cpuUsage();
const startedAt = performance.now();
await postMany(count);
const { user, system } = process.cpuUsage(before);
const posted: Posted = {
  seconds: (performance.now() - startedAt) / 1_000,
  cpuSeconds: (user + system) / 1e6,
};
process.stdout.write(JSON.stringify(posted));
await http.close();
