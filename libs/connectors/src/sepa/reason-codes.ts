import { codes, type ResultCode } from '@sluice/result-codes';

/** What a reason of ISO 20022 becomes, by when it is given. */
export interface ReasonRow {
  /** Before any money moved: the payment is declined. */
  readonly rejected: ResultCode;
  /** After it was booked: the payment is charged back. */
  readonly returned: ResultCode;
}

/*
 * The published list has two runs that say the same of direct debits, one for each time:
 * 800.100.200 to 207 and 000.100.200 to 207. A reason that one of them fits has both its codes; for
 * the others the nearest is taken whose advice to a merchant is right. Those of group 100.390 are
 * never taken: they speak of 3-D Secure. So are neither 000.100.211 and 212, which are no returns.
 */
const account: ReasonRow = { rejected: '800.100.201', returned: '000.100.201' };
const closed: ReasonRow = { rejected: '800.100.202', returned: '000.100.202' };
const mandate: ReasonRow = { rejected: '800.100.204', returned: '000.100.204' };
/** The payer says no, and need not say why. */
const refused: ReasonRow = { rejected: '800.100.200', returned: '000.100.206' };
const blocked: ReasonRow = { rejected: '800.100.172', returned: '000.100.208' };
/** The account is right and may have money, but takes no direct debits of this kind. */
const notDebited: ReasonRow = { rejected: '800.100.208', returned: '000.100.208' };
const notAllowed: ReasonRow = { rejected: '800.100.170', returned: '000.100.208' };
const amount: ReasonRow = { rejected: '800.100.174', returned: '000.100.210' };
const currency: ReasonRow = { rejected: '800.100.173', returned: '000.100.226' };
const duplicate: ReasonRow = { rejected: codes.duplicatePayment, returned: '000.100.224' };
const holder: ReasonRow = { rejected: '800.100.402', returned: '000.100.201' };
/** Something of the merchant's own is not known to the banks: to be set right, not to be tried again. */
const setUp: ReasonRow = { rejected: '800.100.190', returned: '000.100.227' };
const format: ReasonRow = { rejected: '800.100.156', returned: '000.100.299' };
const technical: ReasonRow = {
  rejected: codes.declinedByAuthorizationSystem,
  returned: '000.100.299',
};
const settlement: ReasonRow = {
  rejected: codes.declinedByAuthorizationSystem,
  returned: '000.100.226',
};
/** Nothing is said that a merchant could act on. */
const unsaid: ReasonRow = {
  rejected: codes.declinedByAuthorizationSystem,
  returned: codes.chargebackReceived,
};

/** The reasons that banks of SEPA give (ISO's external code sets; EPC173-14 says what they mean). */
export const reasonCodes: Readonly<Record<string, ReasonRow>> = {
  AC01: account, // Incorrect account number.
  AC02: account, // Invalid debtor's account number.
  AC03: account, // Invalid creditor's account number.
  AC04: closed,
  AC05: closed, // The debtor's.
  AC06: blocked,
  AC07: closed, // The creditor's.
  AC13: notDebited, // A consumer's account, where the scheme is for companies.
  AC14: account, // Invalid type of the creditor's account.
  AG01: notDebited, // Transaction forbidden on this type of account.
  AG02: setUp, // Invalid bank operation code.
  AGNT: account, // Incorrect agent: the bank of a transfer.

  AM01: amount, // Zero.
  AM02: { rejected: '800.100.162', returned: '000.100.210' }, // More than is allowed.
  AM03: currency,
  AM04: { rejected: '800.100.203', returned: '000.100.203' }, // Insufficient funds.
  AM05: duplicate,
  AM06: amount, // Too low.
  AM07: blocked, // Blocked by authorities.
  AM09: amount, // Not the amount that was agreed.
  AM10: format, // The control sum is wrong.

  BE01: holder, // The name does not fit the account.
  BE04: setUp, // The creditor's address is missing.
  BE05: setUp, // The creditor identifier is not known.
  BE06: holder, // The customer is not known at this bank.
  BE07: holder, // The debtor's address is missing.

  CNOR: setUp, // The creditor's bank is not of the scheme.
  CURR: currency,
  CUST: refused, // Requested by the customer.
  DNOR: { rejected: '800.100.208', returned: '000.100.226' }, // Nor the debtor's bank.
  DT01: format, // Invalid date.
  DU01: duplicate, // Of a message.
  DU02: duplicate, // Of a batch.
  DU03: duplicate, // Of a transaction.
  DU04: duplicate, // Of an EndToEndId.
  DU05: duplicate, // Of an InstructionId.
  DUPL: duplicate,
  ED05: settlement, // Settlement failed.
  FF01: format,
  FF03: setUp, // Invalid payment type.
  FF04: setUp, // Invalid service level.
  FF05: setUp, // Invalid local instrument.
  FOCR: { rejected: '800.100.207', returned: '000.100.207' }, // Following a cancellation request.
  FRAD: { rejected: '800.100.158', returned: '000.100.220' }, // Fraudulent origin.
  LEGL: notAllowed, // A legal decision.

  MD01: mandate, // There is none: never given, withdrawn or expired.
  MD02: mandate, // Something mandatory is missing in it.
  MD05: { rejected: '800.100.170', returned: '000.100.230' }, // Nothing was due.
  // A debit that the payer had allowed, given back within eight weeks without a reason.
  MD06: { rejected: '800.100.206', returned: '000.100.206' },
  MD07: closed, // The payer is deceased: no code says so, and this one ends the same.
  MS01: unsaid,
  MS02: refused, // Not specified, by the customer.
  MS03: unsaid, // Not specified, by the bank; some may not say AC04 or AM04 by law.
  NARR: unsaid, // Said in words.

  RC01: account, // The bank's code is incorrect.
  RC03: account, // The debtor's bank's.
  RC04: account, // The creditor's bank's.
  RF01: duplicate, // The transaction's reference is not unique.
  RR01: account, // Regulation asks for the debtor's account.
  RR02: holder, // For the debtor's name or address.
  RR03: setUp, // For the creditor's name or address.
  RR04: notAllowed, // A regulation.
  SL01: notDebited, // The payer told the bank whom not to pay, or whom alone.
  SVNR: { rejected: '800.100.200', returned: '000.100.223' }, // The service was not rendered.
  TECH: technical,
  TM01: { rejected: '800.100.176', returned: '000.100.299' }, // Too late that day; may come again.
  UPAY: { rejected: '800.100.170', returned: '000.100.230' }, // An undue payment.
};

const rows: ReadonlyMap<string, ReasonRow> = new Map(Object.entries(reasonCodes));

/**
 * What a merchant is told of a reason, which a bank may have left out or made up: then nothing but
 * that the payment was declined or charged back.
 */
export function resultCodeOf(reason: string | undefined, time: keyof ReasonRow): ResultCode {
  return (rows.get(reason ?? '') ?? unsaid)[time];
}
