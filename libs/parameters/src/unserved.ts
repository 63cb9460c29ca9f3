import type { InstrumentKind, Mode } from '@sluice/contracts';
import { describeResult, codes } from '@sluice/result-codes';
import { askedAuthentication } from './asked-authentication.js';
import { brandNamed } from './brands.js';
import { dividedAmount } from './divided-amount.js';
import type { Form } from './form.js';
import type { Kind, NewPaymentKind } from './kinds.js';
import { unservedInstallments } from './installments.js';
import {
  instrumentForms,
  instrumentKindOf,
  isServed,
  isStored,
  notStoredPart,
} from './instruments.js';
import { walletOfBrand, walletOfCard } from './instruments/wallet.js';
import { read } from './read.js';
import { shownBrandOf } from './shown-brand.js';

/**
 * The description of the refusal of a new payment that asks for something this version does not do
 * (600.200.500, D-70): the code's own text, and which method, brand or feature it is. Undefined for
 * a payment that is served.
 */
export function unservedDescription(
  form: Form,
  kind: NewPaymentKind,
  mode: Mode,
): string | undefined {
  return describedRefusal(unservedPart(form, kind, mode));
}

/** References that ask the issuer for money anew; all others are about what it has agreed to. */
export const AUTHORIZING_REFERENCES: readonly Kind[] = [
  'rebill',
  'incrementalAuthorization',
  'reauthorization',
];

/** The same of a reference, which asks for no other account. */
export function unservedReferenceDescription(
  form: Form,
  kind: Kind,
  mode: Mode,
): string | undefined {
  return AUTHORIZING_REFERENCES.includes(kind)
    ? describedRefusal(unservedInstallments(form) ?? unservedAuthentication(form, kind, mode))
    : undefined;
}

function describedRefusal(unserved: string | undefined): string | undefined {
  return unserved && `${describeResult(codes.notConfigured)} - ${unserved}`;
}

function unservedPart(form: Form, kind: NewPaymentKind, mode: Mode): string | undefined {
  const brand = shownBrandOf(form);
  const instrument = instrumentKindOf(form, kind);
  const divided = dividedAmount(form, instrument);
  if (divided !== undefined) return divided;
  if (!isServed(form, kind)) {
    const named = brand === undefined ? '' : ` (paymentBrand ${brand})`;
    return `payment ${wordsOf(form, instrument)} is not served yet${named}`;
  }
  const isOfCards = instrumentForms[instrument].isOfCards?.(form) ?? false;
  if (isOfCards && brand !== undefined && !isBrandOfCards(form, brand)) {
    return `the card brand ${brand} is not served`;
  }
  if (read(form, 'createRegistration') === true && !isStored(form, kind)) {
    return notStoredPart(form, instrument);
  }
  return (
    unservedInstallments(form, instrument) ?? unservedAuthentication(form, kind, mode, instrument)
  );
}

/** A wallet's brand is that of the card out of it. */
function isBrandOfCards(form: Form, brand: string): boolean {
  const isOfWallet = walletOfCard(form) !== undefined && walletOfBrand(brand) !== undefined;
  return isOfWallet || brandNamed(brand) !== undefined;
}

function unservedAuthentication(
  form: Form,
  kind: Kind,
  mode: Mode,
  instrument?: InstrumentKind,
): string | undefined {
  const asked = askedAuthentication(form, {
    ...{ kind, mode },
    ...(instrument !== undefined && { instrument: { kind: instrument } }),
  });
  return asked.kind === 'refused' ? asked.reason : undefined;
}

function wordsOf(form: Form, instrument: InstrumentKind): string {
  const { words, wordsFor } = instrumentForms[instrument];
  return wordsFor?.(form) ?? words;
}
