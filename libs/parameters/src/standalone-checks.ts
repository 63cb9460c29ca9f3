import type { Mode } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import { authenticationFault } from './asked-authentication.js';
import { brandNamed } from './brands.js';
import type { Form } from './form.js';
import { instrumentForms, instrumentKindOf, isServed } from './instruments.js';
import type { StandaloneKind } from './kinds.js';
import { notServedRejection, type Rejection } from './rejection.js';
import { shownBrandOf } from './shown-brand.js';
import { accountKindOf } from './standalone-account.js';
import type { ParameterError } from './parameter-error.js';
import { REGISTRATION_ID } from './conditions.js';

/** What a form without violations asks for beside a payment. */
export interface AskedAlone {
  readonly kind: StandaloneKind;
  readonly mode: Mode;
  readonly nowMs: number;
}

/**
 * What a standalone request names that the catalogue has for payments, and that would do nothing here: it is
 * refused, because who sends it relies on it.
 */
const OF_PAYMENTS: Readonly<Record<StandaloneKind, readonly (readonly [string, string])[]>> = {
  threeDSecure: [
    ['threeDSecure.disable', 'forbids what is asked for'],
    ...['threeDSecure.eci', 'threeDSecure.verificationId', 'threeDSecure.authenticationStatus'].map(
      (key) => [key, 'is what a server of your own found out, and here ours is asked'] as const,
    ),
    ['createRegistration', 'is of a payment, and this stores nothing'],
  ],
  risk: [['createRegistration', 'is of a payment, and this stores nothing']],
};

/** Each of them that was sent and says something. */
export function standaloneFaults(form: Form, kind: StandaloneKind): readonly ParameterError[] {
  const type = form.get('paymentType') ?? '';
  const isOther = kind === 'risk' && type !== '' && type !== RISK_TYPE;
  const typed = isOther ? [{ name: 'paymentType', message: OTHER_TYPE }] : [];
  const stored = [REGISTRATION_ID, 'is of a payment: send the account itself'] as const;
  const others = [...OF_PAYMENTS[kind], stored].flatMap(([name, message]) => {
    const value = form.get(name) ?? '';
    return value === '' || value === 'false' ? [] : [{ name, message }];
  });
  return [...typed, ...others];
}

/** Whoever sends another one waits for money that nobody would move. */
const RISK_TYPE = 'RI';
const OTHER_TYPE = 'is RI of a risk check alone, or is not sent: this moves no money';

/** Why it cannot be served, with what it is of: the instrument's own reasons last, as of payments (D-37). */
export function standaloneRejection(
  form: Form,
  { kind, nowMs }: AskedAlone,
): Rejection | undefined {
  const part = unservedPart(form, kind);
  if (part !== undefined) return notServedRejection(part);
  const instrument = instrumentKindOf(form, accountKindOf(form, kind));
  const code = instrumentForms[instrument].rejectionOf?.(form, nowMs);
  // No issuer is asked in a check alone, so nobody would look at the code.
  if (code === codes.securityCodeMissing && kind === 'risk') return undefined;
  return code && { code };
}

function unservedPart(form: Form, kind: StandaloneKind): string | undefined {
  const account = accountKindOf(form, kind);
  const instrument = instrumentForms[instrumentKindOf(form, account)];
  if (!isServed(form, account)) return `a payment ${instrument.words} is not served yet`;
  const brand = shownBrandOf(form);
  if (account === 'payment' && brand !== undefined && brandNamed(brand) === undefined) {
    return `the card brand ${brand} is not served`;
  }
  return kind === 'threeDSecure' ? authenticationFault(form) : undefined;
}
