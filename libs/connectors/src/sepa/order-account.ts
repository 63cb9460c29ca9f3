import type { RevealedInstrument, SecretDetails } from '@sluice/contracts';
import type { Amount } from '@sluice/money';
import { codes, type ResultCode } from '@sluice/result-codes';
import { Detail } from '@sluice/secrets';
import type { ConnectorRequest, RequestParameters } from '../connector.js';
import { writeCreditTransfers } from './credit-transfer-file.js';
import { writeDirectDebits } from './direct-debit-file.js';
import type { FileProblem } from './file-checks.js';
import type { SepaParty } from './party-elements.js';
import { EURO } from './sepa-amount.js';

/*
 * What the vault keeps of an order until its file is written, and long enough for a return: the
 * account with all that names a person. Tables and messages have none of it.
 */

const TEXTS = {
  holder: ['bankAccount', 'holder'],
  bic: ['bankAccount', 'bic'],
  'mandate.id': ['bankAccount', 'mandate', 'id'],
  'mandate.dateOfSignature': ['bankAccount', 'mandate', 'dateOfSignature'],
  descriptor: ['descriptor'],
} as const;

/** Of a debtor or creditor, for one collection or transfer. */
export interface OrderAccount {
  readonly party: SepaParty;
  /** Absent of those who only get money. */
  readonly mandate?: { readonly id: string; readonly signedOn: string };
  /** What it is for, in words. */
  readonly remittance?: string;
}

/** The account of a request and the texts beside it, as the vault is to keep them. */
export function accountDetails(
  { details }: RevealedInstrument,
  parameters: RequestParameters | undefined,
): SecretDetails {
  const texts = Object.entries(TEXTS).flatMap(([name, path]) => {
    const text = textAt(parameters, ...path);
    return text === undefined ? [] : [[`bankAccount.${name}`, new Detail(text)] as const];
  });
  const iban = details['bankAccount.iban'];
  return { ...Object.fromEntries(texts), ...(iban !== undefined && { 'bankAccount.iban': iban }) };
}

const MANDATE_ID = 'bankAccount.mandate.id';
/** What a debtor has signed: the bank refuses a mandate that says something else than before. */
const SIGNED = [
  ...[MANDATE_ID, 'bankAccount.mandate.dateOfSignature'],
  ...['bankAccount.iban', 'bankAccount.holder'],
] as const;

/** Of kept details what a mandate is found by, and what it says. */
export function mandateDetails(details: SecretDetails): Record<'id' | 'terms', SecretDetails> {
  const only = (names: readonly string[]): SecretDetails =>
    Object.fromEntries(Object.entries(details).filter(([name]) => names.includes(name)));
  return { id: only([MANDATE_ID]), terms: only(SIGNED) };
}

/** The text at a path of nested parameters. */
export function textAt(
  parameters: RequestParameters | undefined,
  ...path: readonly string[]
): string | undefined {
  let found: RequestParameters[string] | undefined = parameters;
  for (const name of path) {
    if (typeof found !== 'object' || Array.isArray(found)) return undefined;
    found = (found as RequestParameters)[name];
  }
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The code with which a bank would refuse the request, if it would: asked before anything is placed. */
export function refusalOf(
  { amount, operation, parameters }: ConnectorRequest,
  instrument: RevealedInstrument | undefined,
): ResultCode | undefined {
  if (amount.currency !== EURO) return CURRENCY;
  if (instrument === undefined) return undefined;
  const account = accountIn(accountDetails(instrument, parameters));
  if (account === undefined) return ACCOUNT;
  const { mandate, ...paidOut } = account;
  const isPaidOut = operation === 'credit';
  if (!isPaidOut && mandate === undefined) return MANDATE;
  // A mandate is for debits: what one says is nothing to a credit.
  const [problem] = problemsOf(isPaidOut ? paidOut : account, amount);
  return problem && codeOf(problem, amount);
}

/** What the vault has kept of an account; undefined where it has no IBAN or no holder. */
export function accountIn(details: SecretDetails): OrderAccount | undefined {
  const iban = details['bankAccount.iban'];
  const text = (name: keyof typeof TEXTS): string | undefined =>
    textOf(details[`bankAccount.${name}`]);
  const name = text('holder');
  if (iban === undefined || name === undefined) return undefined;
  const bic = text('bic');
  const id = text('mandate.id');
  const signedOn = text('mandate.dateOfSignature');
  const remittance = text('descriptor');
  return {
    party: { name, iban, ...(bic !== undefined && { bic }) },
    ...(id !== undefined && signedOn !== undefined && { mandate: { id, signedOn } }),
    ...(remittance !== undefined && { remittance }),
  };
}

const CURRENCY: ResultCode = '800.100.173';
const ACCOUNT: ResultCode = '100.200.104';
const MANDATE: ResultCode = '100.500.303';
const SIGNATURE: ResultCode = '100.500.302';

/** A file of one order, for a creditor that is nobody: what it says of that order counts. */
const TRIAL = { messageId: 'TRIAL', createdAt: '2026-01-01T00:00:00Z', initiatingParty: 'Sluice' };
const TRIAL_DAY = '9999-12-31';
const TRIAL_PARTY: SepaParty = { name: 'Sluice', iban: new Detail('DE89370400440532013000') };
const TRIAL_CREDITOR_ID = 'DE98ZZZ09999999999';

function problemsOf(account: OrderAccount, amount: Amount): readonly FileProblem[] {
  const { party, mandate, remittance } = account;
  const order = { endToEndId: 'TRIAL', amount, ...(remittance !== undefined && { remittance }) };
  const written =
    mandate === undefined
      ? writeCreditTransfers({
          ...TRIAL,
          batches: [
            {
              ...{ id: 'TRIAL', debtor: TRIAL_PARTY, executionDate: TRIAL_DAY },
              transfers: [{ ...order, creditor: party }],
            },
          ],
        })
      : writeDirectDebits({
          ...TRIAL,
          batches: [
            {
              ...{ id: 'TRIAL', creditor: TRIAL_PARTY, creditorId: TRIAL_CREDITOR_ID },
              ...{ sequence: 'OOFF', collectionDate: TRIAL_DAY },
              debits: [{ ...order, debtor: party, mandate }],
            },
          ],
        });
  return written.kind === 'refused' ? written.problems : [];
}

function codeOf({ at, reason }: FileProblem, { minor }: Amount): ResultCode {
  if (reason === 'amount') return minor > 0n ? codes.amountTooLarge : codes.amountTooLow;
  if (at.endsWith('mandate.id')) return MANDATE;
  return at.endsWith('mandate.signedOn') ? SIGNATURE : ACCOUNT;
}

function textOf(detail: Detail | undefined): string | undefined {
  return detail?.reveal();
}
