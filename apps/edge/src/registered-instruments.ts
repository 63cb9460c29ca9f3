import {
  type DetailsToHold,
  heldInstrument,
  type Instrument,
  type InstrumentKind,
  type Mode,
  type RegistrationAnswer,
  type RegistrationQuery,
  type RegistrationView,
  shownInstrument,
  vaultReferenceOf,
} from '@sluice/contracts';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import {
  detailsToHold,
  type Form,
  instrumentsByStructure,
  isUnstorable,
  read,
  REGISTRATION_ID,
  registeredInstrumentOf,
  type Rejection,
  storedNeedsShopper,
  storedRejection,
  termsOf,
} from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import { refuseIdleDay } from './collection-days.js';
import type { QueryClient } from './query-client.js';
import { invalidParameters, UNAVAILABLE } from './refusals.js';
import { refuseForeignIndicator } from './external-proofs.js';
import { modeReferredTo, OF_OTHER_MODE } from './request-context.js';

const RESULT_URL = 'shopperResultUrl';

/** What a payment by registration is made with. */
export interface RegisteredInstrument {
  /** The stored one, with the vault's reference; without it if it cannot be used. */
  readonly instrument: Instrument;
  /** What the request has of its own that the vault holds beside it: a security code, a cryptogram. */
  readonly toHold?: DetailsToHold;
  /** Why it cannot be used. */
  readonly rejection?: Rejection;
  /** What the registration itself says, if it can be used. */
  readonly storedParameters?: Readonly<Record<string, string>>;
  /** Of the account that is kept. */
  readonly accountFingerprint?: string;
  /** The payment that it was stored with. */
  readonly storedByPaymentId?: TransactionId;
  /** What was agreed when it was stored. */
  readonly storedTerms?: Readonly<Record<string, string>>;
  /** That of the registration, if it can be used: a payment by it has the same (D-64). */
  readonly mode?: Mode;
  /** What was stored of it, in place of what the request says; undefined: the payment has none. */
  readonly personal: Readonly<Record<string, string | undefined>>;
}

/** Finds what was stored for a channel. */
export class RegisteredInstruments {
  constructor(private readonly queries: QueryClient) {}

  /** A registration of the asking channel; undefined if it has none with this id. */
  async find(
    { access }: Pick<AdmittedRequest, 'access'>,
    id: string,
  ): Promise<RegistrationView | undefined> {
    if (!isTransactionId(id)) return undefined;
    const query: RegistrationQuery = { registrationId: id, entityId: access.channel.id };
    const { registration } = await this.queries.ask<RegistrationAnswer>(
      'registrations',
      'registrations.registration',
      query,
    );
    return registration;
  }

  /** What a payment that names a registration is made with, and why it cannot be. */
  async forPayment(admitted: AdmittedRequest, id: string): Promise<RegisteredInstrument> {
    const { form, receivedAtMs } = admitted;
    const registration = await this.find(admitted, id);
    const refusal = refusalOf(registration);
    const instrument = registration?.instrument;
    const kept = instrument && vaultReferenceOf(instrument);
    if (refusal !== undefined || instrument === undefined || kept === undefined) {
      // Nothing is told of what cannot be used: it was deleted, or never was.
      const none = heldInstrument(registeredInstrumentOf(form), undefined);
      const rejection = refusal ?? { code: codes.registrationUnusable };
      return { instrument: none, rejection, personal: { 'card.holder': undefined } };
    }
    refuseOtherAccount(instrument, registration?.personal ?? {}, form);
    refuseWithoutReturn(instrument, form);
    refuseIdleDay(instrument, form);
    refuseForeignIndicator(instrument, form);
    const { parameters: storedParameters = {}, personal: stored = {} } = registration ?? {};
    const personal = personalOf(instrument.kind, stored, form);
    const shown = shownInstrument(instrument);
    const mode = registration && modeReferredTo(admitted, registration.mode);
    const rejection =
      mode === undefined ? OF_OTHER_MODE : storedRejection(shown, form, receivedAtMs);
    if (rejection !== undefined) {
      return {
        instrument: heldInstrument(shown, undefined),
        rejection,
        ...(mode !== undefined && { mode }),
        storedParameters,
        personal,
      };
    }
    const ofRequest = detailsToHold(form, 'payment');
    const toHold = ofRequest && { ...ofRequest, kind: instrument.kind, kept };
    const { accountFingerprint, paymentId } = registration ?? {};
    const storedTerms = termsOf(storedParameters);
    return {
      instrument,
      ...(mode !== undefined && { mode }),
      ...(toHold !== undefined && { toHold }),
      ...(accountFingerprint !== undefined && { accountFingerprint }),
      ...(paymentId !== undefined && { storedByPaymentId: paymentId }),
      ...(storedTerms !== undefined && { storedTerms }),
      ...{ storedParameters, personal },
    };
  }
}

/**
 * A payment by registration is made with what is stored and nothing else: whoever sends another account
 * beside it, or other details of it, would not be charged where he asked for it (D-69).
 */
function refuseOtherAccount(
  instrument: Instrument,
  stored: RegistrationView['personal'],
  form: Form,
): void {
  const { kind } = instrument;
  const [beside] = namesOfOtherAccounts(kind, form);
  if (beside !== undefined) {
    const message = `contradicts ${REGISTRATION_ID}, under which another kind of account is stored`;
    throw new Refused(invalidParameters({ name: beside, message }));
  }
  const shown: Readonly<Record<string, unknown>> = { ...shownInstrument(instrument) };
  const ofAccount = new Set(form.namesOf(kind));
  form.forEach((name, value, meaning) => {
    if (!ofAccount.has(name) || OF_THE_REQUEST.has(name) || value === '') return;
    const known = stored[name] ?? shown[name.slice(kind.length + 1)];
    if (value === known) return;
    // Of what the vault alone has, nobody here knows whether it is the same.
    const isUnknown = known === undefined && isUnstorable(meaning);
    throw new Refused(invalidParameters({ name, message: isUnknown ? INCOMPARABLE : DIFFERENT }));
  });
}

const DIFFERENT = `differs from what is stored under ${REGISTRATION_ID}, which is what is charged`;
const INCOMPARABLE = `cannot be compared with what is stored under ${REGISTRATION_ID}, which is what is charged`;

/** What a payment may say beside what is stored. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set([
  ...['card.holder', 'card.cvv', 'bankAccount.holder', 'virtualAccount.password'],
  ...['tokenAccount.cryptogram', 'tokenAccount.dtvc'],
  ...['giftCard.pin', 'giftCard.holder', 'giftCard.message', 'giftCard.type'],
]);

/** What was sent of accounts of other kinds. A gift card may be what is bought, and divides the amount otherwise. */
function namesOfOtherAccounts(kind: InstrumentKind, form: Form): readonly string[] {
  const ofOthers = [...instrumentsByStructure]
    .filter(([structure, of]) => of !== kind && structure !== 'giftCard')
    .flatMap(([structure]) => form.namesOf(structure))
    .filter((name) => form.get(name) !== '');
  return kind === 'card' ? ofOthers : [...form.namesOf('card'), ...ofOthers];
}

/** What the catalogue demands of a payment that is made at a provider (Interface 2.18). */
function refuseWithoutReturn(instrument: Instrument, form: Form): void {
  if (!storedNeedsShopper(shownInstrument(instrument), form) || form.has(RESULT_URL)) return;
  const message = `is required: ${REGISTRATION_ID} is of an account whose provider asks the shopper`;
  throw new Refused(invalidParameters({ name: RESULT_URL, message }));
}

/**
 * What was stored with the account and belongs to it: its holder, its bank, its mandate. The holder
 * that is sent counts where none was stored, and it is to (Interface 2.16).
 */
function personalOf(
  kind: InstrumentKind,
  stored: RegistrationView['personal'],
  form: Form,
): RegisteredInstrument['personal'] {
  const own = Object.entries(stored).filter(([name]) => name.startsWith(`${kind}.`));
  const holder = `${kind}.holder`;
  const overriding = read(form, 'overrideHolder') === true ? form.get(holder) : undefined;
  return { [holder]: overriding, ...Object.fromEntries(own) };
}

/** Wire contract 4. Throws Refused if nobody knows now whether it is confirmed. */
function refusalOf(registration: RegistrationView | undefined): Rejection | undefined {
  switch (registration?.state) {
    case undefined:
      return { code: codes.registrationUnknown };
    case 'kept':
      return undefined;
    case 'requested':
      if (registration.isBehind === true) throw new Refused(UNAVAILABLE);
      return { code: codes.registrationUnconfirmed };
    case 'ended':
    case 'never':
      return { code: codes.registrationUnusable };
  }
}
