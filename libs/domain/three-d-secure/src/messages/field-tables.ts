import type { Field, Row } from './field-rows.js';
import {
  type MessageType,
  messageTypes,
  type MessageVersion,
  messageVersions,
} from './message-kinds.js';
import { accountFields, trustFields } from './tables/account-fields.js';
import { acsFields } from './tables/acs-fields.js';
import { appFields } from './tables/app-fields.js';
import { browserFields } from './tables/browser-fields.js';
import { cardRangeFields } from './tables/card-range-fields.js';
import { cardholderFields } from './tables/cardholder-fields.js';
import { challengeFields } from './tables/challenge-fields.js';
import { errorFields } from './tables/error-fields.js';
import { headerFields } from './tables/header-fields.js';
import { merchantFields } from './tables/merchant-fields.js';
import { purchaseFields } from './tables/purchase-fields.js';
import { requestorFields } from './tables/requestor-fields.js';
import { resultFields } from './tables/result-fields.js';

/** A table of data elements, as the reference heads it. */
export interface FieldTable {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** All data elements, in the order in which messages have them. */
export const fieldTables: readonly FieldTable[] = [
  { title: 'Every message', rows: headerFields },
  { title: 'Requestor', rows: requestorFields },
  { title: 'Browser', rows: browserFields },
  { title: 'App', rows: appFields },
  { title: 'Cardholder', rows: cardholderFields },
  { title: 'Account', rows: accountFields },
  { title: 'Trust', rows: trustFields },
  { title: 'Merchant', rows: merchantFields },
  { title: 'Purchase', rows: purchaseFields },
  { title: 'Issuer and directory server', rows: acsFields },
  { title: 'Challenge', rows: challengeFields },
  { title: 'Results', rows: resultFields },
  { title: 'Card ranges', rows: cardRangeFields },
  { title: 'Errors', rows: errorFields },
];

const all: readonly Field[] = fieldTables.flatMap(({ rows }) => rows.flat());

const byMessage = new Map(
  messageTypes.flatMap((type) =>
    messageVersions.map((version) => {
      const its = all.filter((field) => field.message === type && field.version === version);
      return [`${type} ${version}`, its] as const;
    }),
  ),
);

const names: ReadonlySet<string> = new Set(all.map(({ name }) => name));

/** The elements of a message in a version, in their order. An element may have a row per channel. */
export function fieldsOf(type: MessageType, version: MessageVersion): readonly Field[] {
  return byMessage.get(`${type} ${version}`) ?? [];
}

/** Whether any message of any version has an element of this name. */
export function isFieldName(name: string): boolean {
  return names.has(name);
}

/**
 * Whether a value may stand in an element of a message. For what comes from merchants: a text that the
 * interface takes can be longer than the protocol has it.
 */
export function fitsElement(
  type: MessageType,
  version: MessageVersion,
  name: string,
  value: unknown,
): boolean {
  const fields = fieldsOf(type, version).filter((field) => field.name === name);
  return fields.some(({ format }) => format.faultsIn(value, name, version).length === 0);
}
