import type { Answer } from './answer.js';
import { failed } from './exit-codes.js';
import { type Merchant, type MerchantFlags, merchantOf } from './merchant.js';
import type { Session } from './session.js';
import { shown } from './text-table.js';
import { type TriggeredEvent, triggeredEvents, type TriggerStep } from './triggered-events.js';

/** As long as a merchant's own program waits. */
const ANSWERED_WITHIN_MS = 30_000;

/** What one request came to. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly resultCode: string;
}

/**
 * `trigger`: does as a merchant what has an event come of it, in a sandbox or cluster on this machine. Nothing is
 * pretended: there is a payment afterwards, and whoever hears of payments hears of it.
 */
export async function triggerEvents(
  session: Session,
  names: readonly TriggeredEvent[],
  flags: MerchantFlags,
): Promise<Answer> {
  const merchant = merchantOf(session, flags);
  const events = [];
  for (const name of names) {
    const asked: Asked[] = [];
    for (const step of triggeredEvents[name]) {
      session.throwIfInterrupted();
      asked.push(await ask(merchant, step, asked));
    }
    events.push({ name, asked });
  }
  const lines = events.flatMap(({ name, asked }) => asked.map((each) => lineOf(name, each)));
  return { data: { events }, text: lines.join('\n') };
}

async function ask(
  { url, entityId, token }: Merchant,
  step: TriggerStep,
  before: readonly Asked[],
): Promise<Asked> {
  const filled = (text: string): string =>
    text.replace(/\{([0-9])\}/g, (_, place: string) => before[Number(place)]?.id ?? '');
  const fields = Object.entries(step.fields).map(([name, value]): [string, string] => [
    name,
    filled(value),
  ]);
  const form = new URLSearchParams([['entityId', entityId], ...fields]);
  const { method, ends } = step;
  const path = filled(step.path);
  const isPost = method === 'POST';
  const response = await fetch(`${url}${path}${isPost ? '' : `?${form.toString()}`}`, {
    ...{ method, headers: { Authorization: `Bearer ${token}` }, redirect: 'manual' },
    ...(isPost && { body: form }),
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  }).catch((error: unknown) => {
    throw failed(`${url} does not answer: ${(error as Error).message}.`);
  });
  const body = (await response.json()) as {
    readonly id?: string;
    readonly result?: { readonly code?: string; readonly description?: string };
  };
  const { id = '', result: { code = '', description = '' } = {} } = body;
  if (!ends.test(code)) {
    throw failed(shown(`${method} ${path} was answered with ${code}: ${description}.`));
  }
  return { method, path, id, resultCode: code };
}

/** `payment.approved POST /v1/payments -> 000.100.110 <id>` */
function lineOf(name: string, { method, path, resultCode, id }: Asked): string {
  return shown(`${name} ${method} ${path} -> ${resultCode} ${id}`);
}
