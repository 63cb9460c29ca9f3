import type { ToldNotification } from '@sluice/testing/programs';
import { isDeepStrictEqual } from 'node:util';
import type { HttpAnswer } from './rule-sending.js';

/** Of the answer itself, and of a text that goes to nobody but whoever asked. */
const OWN_FIELDS = ['buildNumber', 'timestamp'];

/** What is answered of payments and told otherwise, or not at all: field by field. */
export function toldOtherwise(
  answers: readonly HttpAnswer[],
  told: readonly ToldNotification[],
): readonly string[] {
  const payloads = new Map(told.map(({ payload }) => [payload.id, payload]));
  return answers.flatMap(({ body }) => {
    const { id, ...answer } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const payload = payloads.get(String(id));
    if (payload === undefined) return [`${String(id)} is not told`];
    return Object.entries(answer)
      .filter(([field]) => !OWN_FIELDS.includes(field))
      .filter(([field, value]) => !isDeepStrictEqual(payload[field], value))
      .map(([field, value]) => {
        return `${field} is answered as ${JSON.stringify(value)}, told as ${JSON.stringify(payload[field])}`;
      });
  });
}
