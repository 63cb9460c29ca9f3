import type { NotificationWrapper } from '@sluice/contracts';
import { IV_HEADER, TAG_HEADER } from '@sluice/domain-webhooks';
import type { EntityId } from '@sluice/identifiers';
import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './answer.js';
import { someBrokerListens } from './broker-probe.js';
import { failed, usage } from './exit-codes.js';
import { entityIdOf, RoutingSession } from './routing-session.js';
import type { Session } from './session.js';
import { shown } from './text-table.js';
import {
  addedSubscription,
  type SaidSecret,
  secretOf,
  testText,
  typesOf,
} from './webhooks-changes.js';
import { WebhooksSession } from './webhooks-session.js';

/** The flags of `listen`. */
export interface ListenFlags {
  readonly node?: string;
  readonly types?: string;
  readonly forward?: string;
  readonly wrapper: NotificationWrapper;
  readonly secretFile?: string;
}

/** As long as whoever sends waits for an answer. */
const FORWARDED_WITHIN_MS = 30_000;
/** What goes on besides the body: what a receiver reads. */
const FORWARDED = /^(?:content-type|x-initialization-vector|x-authentication-tag|webhook-.+)$/;
const LOOPBACK = '127.0.0.1';
/** By its path a subscription of `listen` is known. */
const PATH = '/sluice-listen';
const LISTENED = /^http:\/\/(127\.0\.0\.1:[0-9]+)\/sluice-listen$/;
/** A reset of the sandbox removes its subscriptions as well, and nobody is to wait for nothing. */
const LOOK_EVERY_MS = 1_000;
/** Whatever listens on this machine answers at once. */
const FOUND_WITHIN_MS = 200;
const OK = 200;
const NOT_FORWARDED = 502;

interface Heard {
  readonly type: string;
  readonly action?: string;
  readonly payload: {
    readonly id?: string;
    readonly paymentType?: string;
    readonly amount?: string;
    readonly currency?: string;
    readonly result?: { readonly code?: string };
  };
}

/**
 * `listen`: shows notifications as they come, one line each, and sends them on to a program on this machine,
 * whose answer is theirs. Its subscriptions end with it.
 */
export async function listen(session: Session, flags: ListenFlags): Promise<Answer> {
  const forward = flags.forward === undefined ? undefined : forwardOf(flags.forward);
  const types = typesOf(flags.types);
  const nodes = await nodesOf(session, flags.node);
  const said = secretOf(flags.secretFile);
  const webhooks = new WebhooksSession(session);
  const server = createServer();
  let heard = 0;
  server.on('request', (request, response) => {
    void answered(session, request, { secret: said.text, forward }).then((status) => {
      heard += 1;
      response.writeHead(status).end();
    });
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const url = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}${PATH}`;
  let added: string[] = [];
  const subscribe = async (): Promise<void> => {
    added = [];
    for (const nodeId of nodes) {
      const terms = { nodeId, url, types, fields: 'ALL', wrapper: flags.wrapper } as const;
      const id = await addedSubscription(webhooks, said.secret, terms);
      added.push(id);
      await refuseUnlessHeard(webhooks, id);
    }
  };
  try {
    await removeLeftBehind(webhooks);
    await subscribe();
    greet(session, said, forward);
    while (await isStillOn(session.signal)) {
      if (!(await isForgotten(webhooks, added))) continue;
      await subscribe();
      session.say('The sandbox was reset: what happens from now on is shown.');
    }
  } finally {
    for (const id of added) await webhooks.remove(id);
    await closed(server);
  }
  return { data: { heard }, text: '' };
}

function greet(session: Session, { isNew, text: secret }: SaidSecret, forward?: URL): void {
  const to = forward === undefined ? '' : `, and sent on to ${forward.href}`;
  session.say(`Notifications are shown as they come${to}. Ctrl-C ends it.`);
  if (isNew && forward !== undefined) session.say(`They are encrypted with ${secret}`);
}

/** Of those that were killed, or whose sandbox was away when they ended: nobody is there to be told. */
async function removeLeftBehind(webhooks: WebhooksSession): Promise<void> {
  for (const { id, url } of await webhooks.all()) {
    const [, address] = LISTENED.exec(url) ?? [];
    if (address === undefined || (await someBrokerListens([address], FOUND_WITHIN_MS))) continue;
    await webhooks.remove(id);
  }
}

/** A moment later; false: somebody has ended it. */
async function isStillOn(signal: AbortSignal): Promise<boolean> {
  await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** Whether nobody knows them any more; one that somebody has removed is known. */
async function isForgotten(webhooks: WebhooksSession, ids: readonly string[]): Promise<boolean> {
  // While the sandbox begins again there is no database: a moment later there is.
  const known = await webhooks.subscriptions.now().catch(() => undefined);
  return known !== undefined && ids.some((id) => !known.has(id));
}

/** Only where the services run on this machine do they reach it. */
async function refuseUnlessHeard(webhooks: WebhooksSession, id: string): Promise<void> {
  const test = await webhooks.tested(id);
  if (test.outcome === 'acknowledged') return;
  throw failed(`Nothing can be heard here: ${testText(test)}`);
}

/** Shows it, and says what its sender is answered. Never rejects. */
async function answered(
  session: Session,
  request: IncomingMessage,
  { secret, forward }: { readonly secret: string; readonly forward: URL | undefined },
): Promise<number> {
  try {
    const body = await text(request);
    const heard = opened(body, request.headers, secret);
    const { type } = JSON.parse(heard) as Heard;
    if (type === 'test') return OK;
    const status = forward === undefined ? OK : await forwarded(body, request.headers, forward);
    const line = session.asJson ? heard : lineOf(session.now(), JSON.parse(heard) as Heard);
    const sentOn = forward === undefined || session.asJson ? '' : ` -> ${status}`;
    session.processContext.standardOutput.write(`${line}${sentOn}\n`);
    return status;
  } catch (error) {
    session.say(`A call was not understood: ${(error as Error).message}`);
    return NOT_FORWARDED;
  }
}

/** 502 where nobody is there. */
async function forwarded(
  body: string,
  headers: IncomingMessage['headers'],
  forward: URL,
): Promise<number> {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    FORWARDED.test(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
  try {
    const response = await fetch(forward, {
      ...{ method: 'POST', body, headers: Object.fromEntries(sent), redirect: 'manual' },
      signal: AbortSignal.timeout(FORWARDED_WITHIN_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return NOT_FORWARDED;
  }
}

/** As any receiver reads it. @throws Error for what is not encrypted with this secret */
function opened(body: string, headers: IncomingMessage['headers'], secret: string): string {
  const hex = body.startsWith('{')
    ? (JSON.parse(body) as { readonly encryptedBody: string }).encryptedBody
    : body;
  const bytesOf = (name: string): Buffer =>
    Buffer.from(String(headers[name.toLowerCase()] ?? ''), 'hex');
  const key = Buffer.from(secret, 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytesOf(IV_HEADER), { authTagLength: 16 });
  cipher.setAuthTag(bytesOf(TAG_HEADER));
  return cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8');
}

/** `12:00:00.000 PAYMENT DB 92.00 EUR 000.100.110 <id>` */
function lineOf(nowMs: number, { type, action, payload }: Heard): string {
  const time = new Date(nowMs).toISOString().slice('yyyy-mm-ddT'.length, -1);
  const { paymentType, amount, currency, result, id } = payload;
  const words = [time, type, action, paymentType, amount, currency, result?.code, id];
  return shown(words.filter((word) => word !== undefined).join(' '));
}

/** One node, or those that have all others below themselves. */
async function nodesOf(session: Session, node: string | undefined): Promise<readonly EntityId[]> {
  const routing = new RoutingSession(session);
  if (node === undefined) {
    const all = await routing.nodesFrom(undefined);
    return all.flatMap(({ node: { id, parentId } }) => (parentId === undefined ? [id] : []));
  }
  const [above] = await routing.nodesFrom(entityIdOf(node));
  return above === undefined ? [] : [above.node.id];
}

function forwardOf(address: string): URL {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    throw usage('--forward is an address with http or https, such as http://localhost:3000/hook.');
  }
  return new URL(address);
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
