import { type AvsResponse, type CardChecks, type CvvResponse } from '@sluice/contracts';
import type {
  AcquirerDecision,
  ResultDetails,
  ReversalOutcome,
  SubmitOutcome,
} from '../connector.js';
import { additionalDataIn } from './additional-data.js';
import type { FieldName } from './message-fields.js';
import type { Message } from './message-format.js';
import type { Response } from './response-codes.js';
import { standardOf, standards } from './standards.js';

/** Where the host approved only a part; it is for the caller to give that back. */
export type AnsweredSubmission = SubmitOutcome | { readonly kind: 'partiallyApproved' };

/** Where the third digit of a type says who speaks: even asks, odd answers. */
const FUNCTION_AT = 2;
/** The hosts' letters for an address: X and Y match in both, W in the postcode alone. */
const addresses = byCode<AvsResponse>({
  ...{ A: 'A', Z: 'Z', W: 'Z', P: 'Z', N: 'N', C: 'N', X: 'F', Y: 'F', D: 'F', M: 'F' },
  ...{ U: 'U', R: 'U', S: 'U', I: 'U', G: 'U' },
});
const securityCodes = byCode<CvvResponse>({ M: 'M', N: 'N', P: 'P', S: 'S', U: 'U' });
/** By the version of the request, which is ours. */
const responseOf = {
  '1987': byCode(standards['1987'].responses),
  '1993': byCode(standards['1993'].responses),
} as const;
/** All of them must be as they were sent. */
const ECHOED: readonly FieldName[] = ['trace', 'transmittedAt', 'terminal', 'retrievalReference'];
/** These too, unless the host leaves them out. */
const ECHOED_IF_SENT: readonly FieldName[] = ['reference', 'currency', 'merchant'];

/** What an answer and its request have in common, whatever the connection has carried before. */
export function keyOf({ type, fields }: Message): string {
  const { trace = '', transmittedAt = '', terminal = '', networkCode = '' } = fields;
  return [type.slice(0, FUNCTION_AT), trace, transmittedAt, terminal, networkCode].join(' ');
}

/** Whether a message asks for something, so is no answer. */
export function isRequest({ type }: Message): boolean {
  return ['0', '2', '4'].includes(type.charAt(FUNCTION_AT));
}

/** Whether an answer names all that its request was about. */
export function isAbout(request: Message): (answer: Message) => boolean {
  return ({ fields }) =>
    ECHOED.every((name) => fields[name] === request.fields[name]) &&
    ECHOED_IF_SENT.every((name) => (fields[name] ?? request.fields[name]) === request.fields[name]);
}

/** What became of a request, by an answer that is about it. */
export function submitOutcome({ fields }: Message, request: Message): AnsweredSubmission {
  const { responseCode = '', retrievalReference = '', amount } = fields;
  const response = meaningOf(responseCode, request);
  const isWhole = amount === undefined || amount === request.fields.amount;
  switch (response) {
    case 'approved':
      // More or less than was asked, and called an approval: nobody can say what is booked.
      return isWhole
        ? { kind: 'approved', connectorTxId: retrievalReference, ...saidOf(fields) }
        : { kind: 'unknown', reason: 'unreadableAnswer' };
    case 'partial':
      return { kind: 'partiallyApproved' };
    case 'refused':
      return { kind: 'notPerformed', reason: 'refused' };
    case 'uncertain':
      return { kind: 'unknown', reason: 'serverError' };
    case 'notFound':
      return { kind: 'declined', resultCode: NOT_FOUND, ...saidOf(fields) };
    case undefined:
      return { kind: 'unknown', reason: 'unreadableAnswer' };
    default:
      return {
        kind: 'declined',
        resultCode: response.declined,
        connectorTxId: retrievalReference,
        ...saidOf(fields),
      };
  }
}

/** A reference to something that the host does not have. */
const NOT_FOUND = '800.100.167';

/** What became of an undo, by an answer that is about it. */
export function reversalOutcome({ fields }: Message, request: Message): ReversalOutcome {
  const { responseCode = '', retrievalReference = '' } = fields;
  const response = meaningOf(responseCode, request);
  if (response === 'approved') return { kind: 'reversed', connectorTxId: retrievalReference };
  return response === 'notFound' ? { kind: 'notFound' } : { kind: 'unavailable' };
}

/** Given back in whole, so for the merchant a decline: there was not enough. */
export function declinedAsPartial(answer: Message): AcquirerDecision {
  return { kind: 'declined', resultCode: NOT_ENOUGH, ...saidOf(answer.fields) };
}

const NOT_ENOUGH = '800.100.203';

/** What a code says of a request: some approve only messages of their own kind. */
function meaningOf(
  code: string,
  { type }: Message,
): Exclude<Response, { readonly approvesTypes: readonly string[] }> | undefined {
  const standard = standardOf(type);
  const response = standard && responseOf[standard.version](code);
  if (typeof response !== 'object' || !('approvesTypes' in response)) return response;
  return response.approvesTypes.includes(type) ? 'approved' : undefined;
}

function saidOf({ responseCode, authCode, additionalData }: Message['fields']): CardChecks & {
  readonly resultDetails: ResultDetails;
} {
  const said = additionalDataIn(additionalData);
  const avsResponse = addresses(said.addressAnswer ?? '');
  const cvvResponse = securityCodes(said.securityCodeAnswer ?? '');
  const { merchantAdvice } = said;
  return {
    ...(avsResponse !== undefined && { avsResponse }),
    ...(cvvResponse !== undefined && { cvvResponse }),
    resultDetails: {
      ...(responseCode !== undefined && { AcquirerResponse: responseCode }),
      ...(authCode !== undefined && authCode !== '' && { AuthCode: authCode }),
      ...(merchantAdvice !== undefined && { MerchantAdviceCode: merchantAdvice }),
    },
  };
}

/** Looks up what a host has sent, which may be any text. */
function byCode<Meaning>(
  table: Readonly<Record<string, Meaning>>,
): (code: string) => Meaning | undefined {
  const map = new Map(Object.entries(table));
  return (code) => map.get(code);
}
