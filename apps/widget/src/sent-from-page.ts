import { ANSWER_WITHIN_MS } from './field-form.js';
import type { PostedField } from './posted-fields.js';
import { type Sent, sentOf } from './sent-answer.js';

/** Sends what has no secret in it to the gateway, whose answer pages of every origin can read (page 0064). */
export async function sentFromPage(address: URL, fields: readonly PostedField[]): Promise<Sent> {
  const body = new URLSearchParams();
  for (const [name, value] of fields) body.append(name, value);
  try {
    const response = await fetch(address, {
      ...{ method: 'POST', body, credentials: 'omit', referrerPolicy: 'no-referrer' },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return sentOf(response.status, await response.json());
  } catch {
    return { kind: 'unknown' };
  }
}
