import {
  type ChargeAnswer,
  type ChargeQuery,
  heldInstrument,
  type InitialOperation,
  type Mode,
  type RegistrationAnswer,
  type RegistrationQuery,
  type RegistrationView,
  type RunSource,
  shownInstrument,
  type ShownInstrument,
  type TransactionOutcome,
} from '@sluice/contracts';
import type { RunOutcome } from '@sluice/domain-scheduling';
import { type EntityId, newNdc, type TransactionId } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { type Amount, formatAmount, toMessage } from '@sluice/money';
import {
  firstRejection,
  type Form,
  formOfParameters,
  migratedAgreement,
  notServedRejection,
  paymentTypeOf,
  REGISTRATION_ID,
  registeredInstrumentOf,
  type Rejection,
  stored,
  storedNeedsShopper,
  storedRejection,
  termsOf,
  testDirectivesIn,
} from '@sluice/parameters';
import { codes, describeResult } from '@sluice/result-codes';
import type { EntityClock } from '@sluice/service';

/** What a schedule charges, and whom. */
export interface Charge {
  readonly entityId: EntityId;
  readonly channelName: string;
  /** Who asked for the schedule. */
  readonly actor: string;
  readonly mode: Mode;
  readonly registrationId: TransactionId;
  readonly operation: InitialOperation;
  readonly amount: Amount;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
  /** As it was sent. */
  readonly paymentBrand?: string;
}

/** The same, of a run: it says what asks for it. */
export interface RunCharge extends Charge {
  readonly source: RunSource;
}

/** Why nothing can be charged so. */
export interface ChargeRefusal {
  readonly resultCode: string;
  readonly problem?: string;
}

/** The parts they are made of. */
export interface ChargesParts {
  readonly queries: Queries;
  readonly clock: Pick<EntityClock, 'now'>;
}

const OF_JOB = 'job.';
const MODE = 'standingInstruction.mode';
const SOURCE = 'standingInstruction.source';
const TYPE = 'standingInstruction.type';
/** What every run is (wire contract 6): the merchant charges what is stored once more. */
const AGREED = { [MODE]: 'REPEATED', [SOURCE]: 'MIT' } as const;
const USUAL_TYPE = 'RECURRING';
const REGISTRATION = 'registrations.registration';

/** What a charge is made with, and why it cannot be. */
interface Paid {
  readonly form: Form;
  readonly registration?: RegistrationView;
  readonly rejection?: Rejection;
  readonly brand?: string;
}

/**
 * What runs charge: what is stored, as a later payment of an agreement that the merchant initiates. As
 * edge does for a merchant who asks for such a payment himself.
 */
export class Charges {
  constructor(private readonly parts: ChargesParts) {}

  /** Why a charge like this would be refused now, if it would. @throws QueryUnavailable */
  async refusalOf(charge: Charge): Promise<ChargeRefusal | undefined> {
    const contradiction = contradictionIn(charge.parameters);
    if (contradiction !== undefined) {
      const problem = `${describeResult(codes.invalidRecurrenceMode)} - ${contradiction}`;
      return { resultCode: codes.invalidRecurrenceMode, problem };
    }
    const { rejection } = await this.#paid(charge);
    if (rejection === undefined) return undefined;
    const { code: resultCode, description: problem } = rejection;
    return { resultCode, ...(problem !== undefined && { problem }) };
  }

  /**
   * Has payments charge once under an id that is written down, and says what became of it; undefined while
   * nobody knows. @throws QueryUnavailable
   */
  async charge(transactionId: TransactionId, charge: RunCharge): Promise<RunOutcome | undefined> {
    const paid = await this.#paid(charge);
    const query: ChargeQuery = { transactionId, ...this.#payment(charge, paid) };
    const answer = await this.parts.queries.ask<ChargeAnswer>('payments', 'payments.charge', query);
    return answer.kind === 'again' ? undefined : outcomeOf(answer.outcome, paid.brand);
  }

  #payment(
    { entityId, channelName, actor, mode, operation, amount, source }: RunCharge,
    { form, registration, rejection }: Paid,
  ): Pick<ChargeQuery, 'payment' | 'personal'> {
    const usable = rejection === undefined ? registration : undefined;
    const { accountFingerprint, paymentId: storedByPaymentId, instrument } = usable ?? {};
    const storedParameters = usable?.parameters ?? {};
    const storedTerms = termsOf(storedParameters);
    const kept = stored(form, 'payment');
    const { parameters } = kept;
    const testDirectives = mode === 'LIVE' ? undefined : testDirectivesIn(form);
    const { code, description } = rejection ?? {};
    return {
      payment: {
        context: {
          ...{ entityId, channelName, actor, mode, manualChargebacks: false },
          ...{ ndc: newNdc(entityId), receivedAtMs: this.parts.clock.now(entityId) },
        },
        ...{ operation, amount: toMessage(amount), source },
        instrument: instrument ?? heldInstrument(shownOf(registration, form), undefined),
        parameters: { ...parameters, ...migratedAgreement(parameters, storedParameters) },
        ...(accountFingerprint !== undefined && { accountFingerprint }),
        ...(storedByPaymentId !== undefined && { storedByPaymentId }),
        ...(storedTerms !== undefined && { storedTerms }),
        ...(testDirectives !== undefined && { testDirectives }),
        ...(code !== undefined && { rejection: code }),
        ...(description !== undefined && { rejectionDescription: description }),
      },
      personal: { ...kept.personal, ...personalOf(usable) },
    };
  }

  async #paid(charge: Charge): Promise<Paid> {
    const { entityId, registrationId, mode } = charge;
    const query: RegistrationQuery = { registrationId, entityId };
    const { registration } = await this.parts.queries.ask<RegistrationAnswer>(
      ...(['registrations', REGISTRATION, query] as const),
    );
    const form = formOf(charge);
    const nowMs = this.parts.clock.now(entityId);
    const brand = registration?.instrument && brandOf(registration);
    const rejection =
      firstRejection(form, { kind: 'payment', mode, nowMs }) ??
      standingOf(registration) ??
      (registration && ofStored(registration, form, { mode, nowMs }));
    return {
      form,
      ...(registration !== undefined && { registration }),
      ...(rejection !== undefined && { rejection }),
      ...(brand !== undefined && { brand }),
    };
  }
}

/** What the schedule says of the agreement and runs are not; undefined if nothing contradicts. */
function contradictionIn(parameters: Charge['parameters']): string | undefined {
  return Object.entries(AGREED)
    .filter(([name, value]) => (parameters[name] ?? value) !== value)
    .map(([name, value]) => `${name} of a schedule is ${value}`)
    .at(0);
}

/** The request that a merchant would send for it. */
function formOf(charge: Charge): Form {
  const { registrationId, operation, amount, parameters, personal, paymentBrand } = charge;
  const said = Object.entries(parameters).filter(([name]) => !name.startsWith(OF_JOB));
  const told = Object.entries(personal).filter(([name]) => !name.startsWith(OF_JOB));
  const { [TYPE]: type = USUAL_TYPE } = parameters;
  return formOfParameters({
    ...Object.fromEntries([...told, ...said]),
    // Who is paid out has agreed to nothing.
    ...(operation !== 'credit' && { ...AGREED, [TYPE]: type }),
    ...{ [REGISTRATION_ID]: registrationId, paymentType: paymentTypeOf(operation) },
    ...{ amount: formatAmount(amount), currency: amount.currency },
    ...(paymentBrand !== undefined && { paymentBrand }),
  });
}

/** Wire contract 4. @throws QueryUnavailable if nobody knows now whether it is confirmed */
function standingOf(registration: RegistrationView | undefined): Rejection | undefined {
  switch (registration?.state) {
    case undefined:
      return { code: codes.registrationUnknown };
    case 'kept':
      return undefined;
    case 'requested':
      if (registration.isBehind === true) throw new QueryUnavailable(REGISTRATION, 'failed');
      return { code: codes.registrationUnconfirmed };
    case 'ended':
    case 'never':
      return { code: codes.registrationUnusable };
  }
}

function ofStored(
  { instrument, mode: storedMode }: RegistrationView,
  form: Form,
  { mode, nowMs }: Pick<Charge, 'mode'> & { readonly nowMs: number },
): Rejection | undefined {
  if (instrument === undefined) return { code: codes.registrationUnusable };
  if (storedMode !== mode) return { code: codes.modeDiffers };
  const shown = shownInstrument(instrument);
  if (storedNeedsShopper(shown, form)) return NEEDS_SHOPPER;
  return storedRejection(shown, form, nowMs);
}

const NEEDS_SHOPPER: Rejection = notServedRejection(
  'the provider of the stored account asks the shopper, who is not there when a schedule runs',
);

/** Nothing is told of what cannot be used: it was deleted, or never was. */
function shownOf(registration: RegistrationView | undefined, form: Form): ShownInstrument {
  const { instrument } = registration ?? {};
  return instrument === undefined ? registeredInstrumentOf(form) : shownInstrument(instrument);
}

function brandOf({ instrument }: RegistrationView): string | undefined {
  return instrument !== undefined && 'brand' in instrument ? instrument.brand : undefined;
}

/** What was stored with the account and belongs to it: its holder, its bank, its mandate. */
function personalOf(registration: RegistrationView | undefined): Readonly<Record<string, string>> {
  const { instrument, personal = {} } = registration ?? {};
  if (instrument === undefined) return {};
  const own = ([name]: readonly [string, string]): boolean =>
    name.startsWith(`${instrument.kind}.`);
  return Object.fromEntries(Object.entries(personal).filter(own));
}

/** Undefined for an outcome that is still to come. */
function outcomeOf(
  { id: paymentId, status, resultCode, resultDetails, wasNeverSent }: TransactionOutcome,
  brand: string | undefined,
): RunOutcome | undefined {
  switch (status) {
    case 'approved':
      return { kind: 'performed', paymentId, resultCode };
    case 'requested':
    case 'pending':
    case 'unknown':
      return undefined;
    case 'declined':
    case 'rejected':
    case 'notPerformed':
    case 'reversedAfterUnknown': {
      const adviceCode = resultDetails?.['MerchantAdviceCode'];
      return {
        ...{ kind: 'failed', paymentId, resultCode },
        ...(brand !== undefined && { brand }),
        ...(adviceCode !== undefined && { adviceCode }),
        ...(wasNeverSent === true && { wasNeverSent }),
      };
    }
  }
}
