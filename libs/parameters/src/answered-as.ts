import type { Properties } from './answer-properties.js';
import { answerSchemas } from './answer-schemas.js';
import type { CatalogueEntry } from './catalogue.js';
import { answerPathOf } from './echo.js';
import { isAnswered } from './echoed-schema.js';
import type { JsonObject } from './json-object.js';

/** What answers say of a row that they do not return. */
const SHOWN_OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['card.number', 'as `card.bin` and `card.last4Digits`'],
  ['bankAccount.number', 'masked'],
  ['bankAccount.iban', 'masked'],
  ['tokenAccount.number', 'masked'],
  ['giftCard.number', 'masked'],
  ['threeDSecure.amount', 'where it does not cover what is paid'],
  ['threeDSecure.currency', 'as the amount beside it'],
  // The one in answers is never what was sent: it is of an authentication that was made here.
  ['threeDSecure.verificationId', 'no'],
]);

/**
 * Whether the answer says what was sent, and where: `yes` = under the same name. Read from the schema
 * of the answer, which a test compares with real answers, row by row.
 */
export function answeredAs(entry: CatalogueEntry): string {
  const otherwise = SHOWN_OTHERWISE.get(entry.key);
  if (otherwise !== undefined) return otherwise;
  return isAnswered(entry) && isDescribed(answerPathOf(entry.key)) ? 'yes' : 'no';
}

function isDescribed(path: readonly string[]): boolean {
  let schema: JsonObject | undefined = answerSchemas.Payment;
  for (const part of path) {
    if (part === '*') return typeof schema?.['additionalProperties'] === 'object';
    const properties: Properties = (schema?.['properties'] ?? {}) as Properties;
    const found: JsonObject | undefined = properties[part.replace('[n]', '')];
    schema = part.endsWith('[n]') ? (found?.['items'] as JsonObject | undefined) : found;
  }
  return schema !== undefined;
}
