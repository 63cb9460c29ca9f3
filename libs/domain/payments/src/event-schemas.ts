import { avsResponses, cvvResponses } from '@sluice/contracts';
import type { PaymentEventType } from './events.js';
import { operations } from './transitions.js';
import { currentSchemaVersions } from './upcasters.js';

/** The part of JSON Schema (2020-12) that describes events. */
export interface Schema {
  readonly type: 'object' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

/** The schema of one event type's data, in the version written today. */
export interface EventSchema {
  readonly type: PaymentEventType;
  readonly schemaVersion: number;
  readonly description: string;
  readonly data: Schema;
}

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const flag: Schema = { type: 'boolean' };
const texts: Schema = { type: 'object', additionalProperties: text };
const id: Schema = { type: 'string', pattern: '^[0-9a-f]{32}$' };
const resultCode: Schema = { type: 'string', pattern: '^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$' };
const operation: Schema = { type: 'string', enum: operations };

function closed(
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

const amount = closed({
  minor: { type: 'string', pattern: '^-?[0-9]{1,40}$', description: 'Minor units.' },
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
});
const bin: Schema = { type: 'string', pattern: '^[0-9]{6}$' };
/** Well-formed numbers have 8 digits and more (Interface 2.4), those that can be paid with 12. */
const rejectedBin: Schema = {
  type: 'string',
  pattern: '^(?:[0-9]{6})?$',
  description: 'Empty where a number has fewer than 12 digits, which no brand has.',
};
const cardWith = (digits: Schema): Schema =>
  closed(
    {
      vaultReference: text,
      bin: digits,
      last4: { type: 'string', pattern: '^[0-9]{4}$' },
      brand: text,
      expiryMonth: text,
      expiryYear: text,
    },
    { brandDetected: { ...flag, description: 'No brand was sent; it was found from the number.' } },
  );
const request = closed({ connector: text, acquirerReference: text, deadlineMs: integer });
const personal: Schema = {
  type: 'string',
  description: "Sealed under the payment's own key: AES-256-GCM, base64.",
};
const answered = {
  resultDetails: texts,
  avsResponse: { type: 'string', enum: avsResponses, description: 'Interface 2.2.' },
  cvvResponse: { type: 'string', enum: cvvResponses, description: 'Interface 2.2.' },
} as const;
const acquirerAnswer = { connectorTxId: text, ...answered };

const schemas: Readonly<Record<PaymentEventType, readonly [string, Schema]>> = {
  PaymentInitiated: [
    'A payment was opened; with `request` it may have been sent to the acquirer.',
    closed(
      { transactionId: id, operation, amount, card: cardWith(bin), parameters: texts },
      { numberOfCaptures: integer, request, personal },
    ),
  ],
  TransactionRequested: [
    'An operation on an earlier transaction was accepted.',
    closed(
      {
        transactionId: id,
        referencedId: id,
        operation,
        amount,
        final: flag,
        parameters: texts,
      },
      { releases: amount, request, personal },
    ),
  ],
  TransactionRejected: [
    'Refused before asking anyone.',
    closed(
      { transactionId: id, operation, resultCode, parameters: texts },
      {
        referencedId: id,
        amount,
        card: cardWith(rejectedBin),
        method: closed({}, { paymentMethod: text, brand: text }),
        resultDescription: text,
        personal,
      },
    ),
  ],
  TransactionApproved: [
    'The acquirer said yes.',
    closed({ transactionId: id, resultCode, connectorTxId: text }, answered),
  ],
  TransactionDeclined: [
    'The acquirer said no.',
    closed({ transactionId: id, resultCode }, acquirerAnswer),
  ],
  TransactionPending: [
    'The acquirer will decide later.',
    closed({ transactionId: id, resultCode }, acquirerAnswer),
  ],
  TransactionNotPerformed: [
    'Nothing happened at the acquirer.',
    closed({ transactionId: id, resultCode, reason: text }),
  ],
  TransactionOutcomeUnknown: [
    'The answer was lost; the amount counts as used.',
    closed({ transactionId: id, reason: text }),
  ],
  UnknownTransactionReversed: [
    'What may have been booked was undone by its reference.',
    closed({ transactionId: id, resultCode, connectorTxId: text }),
  ],
  ChargebackReceived: [
    'The issuer took money back.',
    closed(
      { transactionId: id, referencedId: id, amount, resultCode, source: text, parameters: texts },
      { excess: amount, personal },
    ),
  ],
  ChargebackReversed: [
    'The issuer gave money of a chargeback back.',
    closed(
      { transactionId: id, referencedId: id, amount, resultCode, source: text, parameters: texts },
      { personal },
    ),
  ],
  LateApprovalReceived: [
    'An approval came after the end; it is undone and never a success.',
    closed({ transactionId: id, connectorTxId: text }),
  ],
  LateApprovalRefundRequested: [
    'A late approval, too old to be reversed, may have been refunded under this reference.',
    closed({ transactionId: id, request }),
  ],
  LateApprovalUndone: [
    'A late approval is undone.',
    closed({ transactionId: id, by: text, connectorTxId: text }),
  ],
  LateInquiryAnswered: [
    'The inquiry an hour after the end found nothing that counts.',
    closed({ transactionId: id, answer: text }),
  ],
  CaseOpened: [
    'Recovery has done all it may; an operator has to look.',
    closed({ transactionId: id, reason: text, amount }),
  ],
};

/** The schemas of all payment events, sorted by name: data for the generated reference. */
export function eventSchemas(): readonly EventSchema[] {
  return (Object.keys(schemas) as PaymentEventType[]).sort().map((type) => ({
    type,
    schemaVersion: currentSchemaVersions[type],
    description: schemas[type][0],
    data: schemas[type][1],
  }));
}
