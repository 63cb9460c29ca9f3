import type { InstrumentKind, Mode, NumberType } from '@sluice/contracts';
import { codes, describeResult } from '@sluice/result-codes';
import { asksForAuthentication, isAuthenticatedElsewhere } from './conditions.js';
import { demandedAuthentication, TEST_CARD } from './demanded-authentication.js';
import { DEVICE_INFO, readDeviceInfo } from './device-info.js';
import { lackOfProof, provesShopper } from './external-proof.js';
import type { Form } from './form.js';
import { isNewPayment, type Kind } from './kinds.js';
import type { Rejection } from './rejection.js';
import { isInitiatedByMerchant } from './standing-instruction.js';

/** What a payment asks of 3-D Secure (Interface 2.17). */
export type AskedAuthentication =
  /** Nobody is authenticated: nobody is there, or the merchant wants none, in words that stand alone. */
  | { readonly kind: 'none'; readonly reason: string }
  /** An external server did it or tried to, and the form has the whole proof. */
  | { readonly kind: 'elsewhere'; readonly isProven: boolean }
  /** The shopper can be: because this demands it, in words, or without it because the channel wants it. */
  | { readonly kind: 'possible'; readonly demandedBy?: string }
  /** It demands one that there is not, for this reason. */
  | { readonly kind: 'refused'; readonly reason: string };

/** What of an instrument there is to know here: of what is stored, and of a wallet, once that was looked up. */
interface AskedInstrument {
  readonly kind: InstrumentKind;
  readonly brand?: string;
  readonly numberType?: NumberType;
  /** The wallet that a card came out of. */
  readonly wallet?: string;
  readonly bin?: string;
  readonly last4?: string;
}

/** Who asks, and with what. */
export interface Asking {
  readonly kind: Kind;
  readonly mode: Mode;
  /** What it is paid with. */
  readonly instrument?: AskedInstrument;
}

/** An external server did not authenticate the shopper. */
const FAILED: readonly (string | undefined)[] = ['N', 'U'];
/** An order by mail or telephone, and a card at a till: no browser is there. */
const WITHOUT_BROWSER: readonly (string | undefined)[] = ['MO', 'TO', 'MOTO', 'PO', 'PM'];

/**
 * What of an authentication a form asks for. A payment that demands one is never approved without (D-70): it
 * is refused where nobody can be authenticated.
 */
export function askedAuthentication(
  form: Form,
  { kind, mode, instrument }: Asking,
): AskedAuthentication {
  const status = form.get('threeDSecure.authenticationStatus');
  if (FAILED.includes(status)) {
    const said = `threeDSecure.authenticationStatus ${status ?? ''}`;
    return { kind: 'refused', reason: `${said} says that the shopper was not authenticated` };
  }
  if (isAuthenticatedElsewhere(form)) {
    const lack = lackOfProof(form, instrument);
    return lack === undefined
      ? { kind: 'elsewhere', isProven: provesShopper(form, instrument) }
      : { kind: 'none', reason: lack };
  }
  if (form.get('threeDSecure.disable') === 'true') {
    return { kind: 'none', reason: 'threeDSecure.disable forbids it' };
  }
  const demandedBy = demandedAuthentication(form, mode, instrument);
  const missing = missingFor(form, kind, instrument);
  if (missing !== undefined) {
    // What is only said of a test card is said of shoppers who pay with it.
    if (demandedBy === undefined || demandedBy === TEST_CARD) {
      return { kind: 'none', reason: missing };
    }
    return { kind: 'refused', reason: `${demandedBy} demands 3-D Secure, and ${missing}` };
  }
  return { kind: 'possible', ...(demandedBy !== undefined && { demandedBy }) };
}

/** Why the card of a standalone request cannot be authenticated; undefined if it can. */
export function authenticationFault(form: Form): string | undefined {
  return missingOfNew(form, { kind: 'card' });
}

/** Why a shopper is authenticated in no app though one is asked for: what its SDK said cannot be read. */
export function deviceInfoRejection(form: Form): Rejection | undefined {
  const said = form.get(DEVICE_INFO);
  if (said === undefined || !asksForAuthentication(form)) return undefined;
  const read = readDeviceInfo(said);
  if (!('fault' in read)) return undefined;
  const code = codes.authenticationDataInvalid;
  return { code, description: `${describeResult(code)} - ${DEVICE_INFO}: ${read.fault}` };
}

/** Who or what is not there to be authenticated, in words that follow "and". */
function missingFor(
  form: Form,
  kind: Kind,
  instrument: AskedInstrument | undefined,
): string | undefined {
  if (!isNewPayment(kind)) return 'what refers to a payment is made without the shopper';
  return missingOfNew(form, instrument);
}

function missingOfNew(form: Form, instrument: AskedInstrument | undefined): string | undefined {
  if (form.get('paymentType') === 'CD') return 'a credit (CD) is paid out to the shopper';
  const absence = isBegunByMerchant(form) ? undefined : absenceIn(form);
  if (absence !== undefined) return absence;
  if (instrument?.numberType === 'DPAN' || form.get('card.numberType') === 'DPAN') {
    return 'the device with that number has authenticated its owner itself';
  }
  if (instrument !== undefined && !MAYBE_CARDS.includes(instrument.kind)) {
    return 'only a card is authenticated so';
  }
  return appFault(form);
}

/** Why there is no app that a shopper could be authenticated in, though the form brings what an SDK said. */
function appFault(form: Form): string | undefined {
  const said = form.get(DEVICE_INFO);
  if (said === undefined) return undefined;
  if (isBegunByMerchant(form)) return 'the merchant begins it, without an app';
  const read = readDeviceInfo(said);
  return 'fault' in read ? `${read.fault} (${DEVICE_INFO})` : undefined;
}

/** Why no shopper is in a browser, nor in an app. */
function absenceIn(form: Form): string | undefined {
  if (isInitiatedByMerchant(form)) return 'the merchant initiates it, without the shopper';
  const category = form.get('transactionCategory');
  return WITHOUT_BROWSER.includes(category)
    ? `transactionCategory ${category ?? ''} says that there is no browser`
    : undefined;
}

/** 3RI: the issuer is asked about a shopper who is not there. */
function isBegunByMerchant(form: Form): boolean {
  return form.has('threeDSecure.channel') || form.has('threeDSecure.threeRIInd');
}

/** A card comes out of a wallet, and may be what is stored. */
const MAYBE_CARDS: readonly InstrumentKind[] = ['card', 'wallet', 'registration'];
