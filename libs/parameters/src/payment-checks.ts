import type { Mode } from '@sluice/contracts';
import { type Amount, isCurrency, parseAmount, zero } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import { deviceInfoRejection } from './asked-authentication.js';
import { dueDateRejection } from './due-date.js';
import type { Form } from './form.js';
import { instrumentForms, instrumentKindOf } from './instruments.js';
import { collectingReferences, isNewPayment, isStandaloneKind, type Kind } from './kinds.js';
import type { Rejection, RejectionCode } from './rejection.js';
import { standingInstructionRejection, termsRejection } from './standing-instruction.js';
import { standaloneRejection } from './standalone-checks.js';
import {
  AUTHORIZING_REFERENCES,
  unservedDescription,
  unservedReferenceDescription,
} from './unserved.js';

/** What a form without violations asks for, where, and when. */
export interface AskedPayment {
  readonly kind: Kind;
  readonly mode: Mode;
  readonly nowMs: number;
}

/**
 * The first reason, in the order of D-37, for which a form without violations cannot be paid:
 * amount, what an app said, what is not served, the standing instruction, the due date, then the instrument. Nothing
 * is called then, but the attempt is recorded.
 */
export function firstRejection(
  form: Form,
  { kind, mode, nowMs }: AskedPayment,
): Rejection | undefined {
  const ofAmount = amountRejection(form, kind);
  if (ofAmount !== undefined) return { code: ofAmount };
  const isNew = isNewPayment(kind);
  const ofApp = isNew || kind === 'threeDSecure' ? deviceInfoRejection(form) : undefined;
  if (ofApp !== undefined) return ofApp;
  if (isStandaloneKind(kind)) return standaloneRejection(form, { kind, mode, nowMs });
  const description = isNew
    ? unservedDescription(form, kind, mode)
    : unservedReferenceDescription(form, kind, mode);
  if (description !== undefined) return { code: codes.notConfigured, description };
  if (!isNew) {
    const ofTerms = AUTHORIZING_REFERENCES.includes(kind) ? termsRejection(form, nowMs) : undefined;
    const isCollecting = collectingReferences.some((each) => each === kind);
    return ofTerms ?? (isCollecting ? dueDateRejection(form, nowMs) : undefined);
  }
  const ofAgreement = standingInstructionRejection(form, nowMs);
  if (ofAgreement !== undefined) return ofAgreement;
  const ofDueDate = dueDateRejection(form, nowMs);
  if (ofDueDate !== undefined) return ofDueDate;
  const code = instrumentForms[instrumentKindOf(form, kind)].rejectionOf?.(form, nowMs);
  return code && { code };
}

function amountRejection(form: Form, kind: Kind): RejectionCode | undefined {
  const text = form.get('amount');
  const currency = form.get('currency');
  if (text === undefined || currency === undefined || !isCurrency(currency)) return undefined;
  const parsed = parseAmount(text, currency);
  if (parsed.kind === 'amount') return undefined;
  if (parsed.reason !== 'zero') return codes.amountFormat;
  // Interface 2.17: an issuer may be asked about the shopper alone, as before a card is stored.
  const isOfNothing = kind === 'threeDSecure' && form.get('threeDSecure.npa') === 'true';
  return isOfNothing ? undefined : codes.amountTooLow;
}

/**
 * The amount of a form without violations; undefined when none was sent. An amount that cannot be
 * paid (zero, a fraction of JPY) is zero: the rejected attempt is recorded with nothing.
 */
export function amountOf(form: Form): Amount | undefined {
  const text = form.get('amount');
  const currency = form.get('currency');
  if (text === undefined || currency === undefined || !isCurrency(currency)) return undefined;
  const parsed = parseAmount(text, currency);
  return parsed.kind === 'amount' ? parsed.amount : zero(currency);
}
