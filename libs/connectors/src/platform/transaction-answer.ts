import {
  avsResponses,
  type CardChecks,
  cvvResponses,
  FIRST_PAYMENT_DETAIL,
} from '@sluice/contracts';
import { currency, isCurrency, parseAmount } from '@sluice/money';
import { accountNumbersMasked } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type {
  AcquirerDecision,
  ConnectorRequest,
  ResultDetails,
  SubmitOutcome,
} from '../connector.js';
import {
  type Fields,
  type GatewayAnswer,
  isFields,
  resultIn,
  verdictOf,
} from './gateway-answer.js';
import { redirectIn } from './gateway-redirect.js';
import { paymentTypes } from './transaction-message.js';

/** What an answer is held against. */
export type Asked = Pick<ConnectorRequest, 'operation' | 'amount' | 'mode'>;

const OK = 200;
const CLIENT_ERROR = 400;
/** Interface 2.1. */
const TRANSACTION_ID = /^[a-zA-Z0-9]{32}$/;
/** Successes of a test installation: money that nobody has moved. */
const TEST_SUCCESS = /^000\.100\.11[0-9]$/;
const LIVE_SUCCESS: string = codes.approvedLive;
/** Who may not pay, and whoever asks too often, is turned away before anything is recorded. */
const TURNED_AWAY = /^800\.900\.[0-9]{3}$/;
const UNREADABLE = { kind: 'unknown', reason: 'unreadableAnswer' } as const;

/**
 * What became of a request (D-24 to D-28). An approval counts only if it names the reference, an id, and
 * exactly what was asked: operation, amount, currency and mode. A rejection that has an id is a decline;
 * one without was not recorded there, so nothing of it was performed. The rest is unknown.
 */
export function submitOutcome(answer: GatewayAnswer, request: ConnectorRequest): SubmitOutcome {
  const { statusCode, code, fields } = answer;
  const names = fields['merchantTransactionId'];
  const isAbout = names === request.acquirerReference;
  const verdict = verdictOf(code);
  switch (verdict) {
    case 'approved':
    case 'pending': {
      const decision = statusCode === OK && isAbout ? decisionIn(fields, code, request) : undefined;
      return decision ?? UNREADABLE;
    }
    case 'rejected': {
      if (statusCode !== OK && statusCode < CLIENT_ERROR) return UNREADABLE;
      const isTurnedAway = code === codes.tooManyRequests || TURNED_AWAY.test(code);
      const isUnrecorded = statusCode !== OK && (fields['id'] === undefined || isTurnedAway);
      if (isUnrecorded && (names === undefined || isAbout)) {
        return { kind: 'notPerformed', reason: 'refused' };
      }
      const decision = isAbout ? decisionIn(fields, code, request) : undefined;
      return decision ?? UNREADABLE;
    }
    case 'uncertain':
      return { kind: 'unknown', reason: 'serverError' };
  }
}

/**
 * What one transaction of the other gateway says, in an answer or in the entry of a list; undefined if it
 * cannot be taken for what was asked.
 */
export function decisionIn(
  fields: Fields,
  code: string,
  asked: Asked,
): AcquirerDecision | undefined {
  const id = transactionIdIn(fields);
  const said = { resultDetails: detailsIn(fields), ...checksIn(fields) };
  const verdict = verdictOf(code);
  switch (verdict) {
    case 'approved': {
      if (id === undefined || !isWhatWasAsked(fields, code, asked)) return undefined;
      const isPlain = code === LIVE_SUCCESS || TEST_SUCCESS.test(code);
      // A plain success is answered with our own code of the mode; any other says more.
      return {
        kind: 'approved',
        connectorTxId: id,
        ...(!isPlain && { resultCode: code }),
        ...said,
      };
    }
    case 'pending': {
      const redirect = redirectIn(fields, asked.mode);
      if (id === undefined || redirect === 'malformed') return undefined;
      const first = redirect === undefined ? {} : { redirect };
      return { kind: 'pending', connectorTxId: id, resultCode: code, ...said, ...first };
    }
    case 'rejected':
      return {
        kind: 'declined',
        resultCode: code,
        ...(id !== undefined && { connectorTxId: id }),
        ...said,
      };
    case 'uncertain':
      return undefined;
  }
}

/** The id of a transaction there. */
export function transactionIdIn({ id }: Fields): string | undefined {
  return typeof id === 'string' && TRANSACTION_ID.test(id) ? id : undefined;
}

/** More or less money, other money, or none that moved at all is no approval of what was asked. */
function isWhatWasAsked(fields: Fields, code: string, { operation, amount, mode }: Asked): boolean {
  const isTest = TEST_SUCCESS.test(code);
  if (mode === 'LIVE' ? isTest : code === LIVE_SUCCESS) return false;
  return fields['paymentType'] === paymentTypes[operation] && isAmount(fields, amount);
}

/** Whether a transaction is of exactly this amount. */
function isAmount(fields: Fields, { minor, currency: asked }: Asked['amount']): boolean {
  const { amount, currency: code } = fields;
  if (typeof amount !== 'string' || typeof code !== 'string' || !isCurrency(code)) return false;
  const parsed = parseAmount(amount, currency(code));
  return parsed.kind === 'amount' && parsed.amount.minor === minor && code === asked;
}

/** Interface 2.2: names of 3 to 64, values of up to 2048 characters. */
const DETAIL_NAME = /^[a-zA-Z0-9._]{3,64}$/;
const DETAIL_CHARACTERS_MAX = 2_048;
/** More than any acquirer gives; they are kept in an event. */
const DETAILS_MAX = 32;
/** Theirs is what their acquirer called it; ours is their own id, which has this name in our answers. */
const THEIR_ACQUIRERS = 'ConnectorTxID1';

/**
 * What the other gateway passes on from its bank, card numbers masked; and, where its answer names a
 * first payment, by what: later ones are known there by that, and not by its own id.
 */
function detailsIn(fields: Fields): ResultDetails {
  const details = bankDetailsIn(fields).filter(([name]) => name !== FIRST_PAYMENT_DETAIL);
  const first = firstPaymentIn(fields);
  const named: [string, string][] = first === undefined ? [] : [[FIRST_PAYMENT_DETAIL, first]];
  return Object.fromEntries([...named, ...details].slice(0, DETAILS_MAX));
}

/** Interface 2.18, as the catalogue has it. */
const FIRST_PAYMENT = /^[!-~]{1,255}$/;

/** Only as a merchant could send it back: no card number. */
function firstPaymentIn({ standingInstruction, resultDetails }: Fields): string | undefined {
  // A later payment has one as well: what was sent.
  const isFirst = isFields(standingInstruction) && standingInstruction['mode'] === 'INITIAL';
  const named = isFirst ? standingInstruction['initialTransactionId'] : undefined;
  const detail = isFields(resultDetails) ? resultDetails[FIRST_PAYMENT_DETAIL] : undefined;
  return [named, detail].find(
    (each): each is string =>
      typeof each === 'string' && FIRST_PAYMENT.test(each) && accountNumbersMasked(each) === each,
  );
}

function bankDetailsIn({ resultDetails }: Fields): readonly [string, string][] {
  if (!isFields(resultDetails)) return [];
  return Object.entries(resultDetails).flatMap(([name, value]): [string, string][] => {
    if (!DETAIL_NAME.test(name) || name === THEIR_ACQUIRERS) return [];
    if (typeof value !== 'string' || value.length > DETAIL_CHARACTERS_MAX) return [];
    return [[name, accountNumbersMasked(value)]];
  });
}

function checksIn(fields: Fields): CardChecks {
  const { avsResponse: avs, cvvResponse: cvv } = resultIn(fields) ?? {};
  const avsResponse = avsResponses.find((each) => each === avs);
  const cvvResponse = cvvResponses.find((each) => each === cvv);
  return {
    ...(avsResponse !== undefined && { avsResponse }),
    ...(cvvResponse !== undefined && { cvvResponse }),
  };
}
