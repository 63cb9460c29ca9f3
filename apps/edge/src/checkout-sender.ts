import type { AnswerStamp } from '@sluice/answers';
import type {
  AttemptStanding,
  CheckoutCommandMessage,
  CheckoutPurpose,
  CheckoutReply,
  CheckoutToComplete,
  CreateCheckout,
  KnownSaving,
  SaveForm,
  SubmitAttempt,
  UpdateCheckout,
} from '@sluice/contracts';
import {
  type CheckoutId,
  newCheckoutId,
  newTransactionId,
  type TransactionId,
} from '@sluice/identifiers';
import {
  checkoutFaults,
  checkoutParameters,
  checkoutPurposeOf,
  checkoutRejection,
  checkoutUpdateFaults,
  type Form,
  formOfParameters,
  namedRegistrationFaults,
  namedRegistrations,
  namingParameters,
  read,
} from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { createdAnswer, updatedAnswer } from './checkout-answer.js';
import { checkKind, refuseViolations } from './checked-form.js';
import type { CommandClient, Sending, ServiceCommands } from './command-client.js';
import { commandMessage } from './command-message.js';
import { idempotencyKeyOf, KEY_CONFLICT } from './idempotency-claims.js';
import type { OfferedRegistrations } from './offered-registrations.js';
import {
  BUSY,
  CHECKOUT_EXHAUSTED,
  CHECKOUT_UNDER_WAY,
  invalidParameters,
  NO_PAYMENT_SESSION,
  UNAVAILABLE,
} from './refusals.js';
import { modeReferredTo, requestContextOf } from './request-context.js';
import { integrityOf, type WidgetCheckout, widgetScript } from './widget-script.js';
import { ID_VERSION_DIGITS, type WidgetVersions } from './widget-versions.js';

/** The resource that checkouts are made in, as the scope of idempotency keys names it. */
const CHECKOUTS = '/v1/checkouts';
const RESULT_URL = 'shopperResultUrl';

type CheckoutSending = Sending<CheckoutCommandMessage>;

/** Whether an attempt is recorded; otherwise the one that is in its place, if it is that. */
export type Submitted =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'changed' }
  /** `isPaid`: it has succeeded, and nothing else will. */
  | { readonly kind: 'instead'; readonly attempt: AttemptStanding; readonly isPaid: boolean }
  /** Something else is saved than was thought, or nothing; with the last attempt, if there was one. */
  | { readonly kind: 'savedOtherwise'; readonly attempt?: AttemptStanding };

/** A checkout that is not gone. */
export interface CheckoutToChange {
  readonly id: CheckoutId;
  readonly checkout: CheckoutToComplete;
}

/** An attempt that is about to be asked for. */
export interface AttemptToSubmit {
  readonly checkoutId: CheckoutId;
  readonly purpose: CheckoutPurpose;
  /** Of the payment or registration. */
  readonly transactionId: TransactionId;
  /** Of the checkout that it is made of. */
  readonly revision?: number;
  /** What is known to be saved. */
  readonly saved: KnownSaving;
  /** The attempt is made of that. */
  readonly isOfSaved?: true;
}

/** A form that is about to be saved. */
export interface FormToRecord {
  readonly checkoutId: CheckoutId;
  /** Of the saving. */
  readonly transactionId: TransactionId;
  /** What it takes the place of. */
  readonly saved: KnownSaving;
  readonly fields: Readonly<Record<string, string>>;
  /** The names of what the vault holds. */
  readonly details: readonly string[];
  readonly vaultReference?: string;
}

/**
 * Sends commands to checkouts. Nobody can do anything with a checkout whose id was not told, so
 * whatever is not known to be recorded is "unavailable", and is asked for again; what may have been
 * recorded of an attempt ends by itself, because nothing is asked for then.
 */
export class CheckoutSender implements ServiceCommands<CheckoutSending, CheckoutReply, Submitted> {
  readonly service = 'checkouts';

  /** @param label of the installation, in ids: 6 characters at the most, because a version follows */
  constructor(
    private readonly commands: CommandClient,
    private readonly widgets: WidgetVersions,
    private readonly offered: OfferedRegistrations,
    private readonly label: string,
  ) {}

  /** Makes a checkout of a form. @throws Refused */
  async create(asked: AdmittedRequest): Promise<Answer> {
    checkKind(asked, 'checkout');
    refuseViolations(checkoutFaults(asked.form));
    refuseUnpayable(asked.form, asked.receivedAtMs);
    const { mode, ...offered } = await this.offered.named(asked);
    const isPinned = read(asked.form, 'integrity') === true;
    const checkoutId = newCheckoutId(await this.#label(isPinned));
    const purpose = checkoutPurposeOf(asked.form);
    const scriptOf = (id: CheckoutId) => (isPinned ? this.#scriptOf({ id, purpose }) : undefined);
    const admitted = { ...inCheckout(asked, checkoutId), mode };
    const data = await this.#dataOf(admitted, CHECKOUTS, checkoutId);
    const { transactionId } = data;
    const script = await scriptOf(checkoutId);
    const command = commandMessage<CreateCheckout>(admitted, transactionId, 'CreateCheckout', {
      ...{ ...data, ...offered, purpose },
      ...(script !== undefined && { script }),
    });
    // Of a repeated request, the id is that of the first one.
    return this.#told({ admitted, command }, async (id, stamp) =>
      createdAnswer(id, stamp, await scriptOf(id)),
    );
  }

  /** What a new id ends with: from then on its script is made of this instance's build of the widget. */
  async #label(isPinned: boolean): Promise<string> {
    const announced = this.widgets.announced();
    // A script of which nobody wants the hash may be made of any build.
    const widget = await (isPinned ? announced : announced.catch(() => undefined));
    if (widget === undefined) return this.label;
    return `${this.label}-${widget.version.slice(0, ID_VERSION_DIGITS)}`;
  }

  async #scriptOf(checkout: WidgetCheckout): Promise<string> {
    return integrityOf(widgetScript(await this.widgets.of(checkout.id), checkout));
  }

  /** Changes one by a form. @throws Refused */
  async update(asked: AdmittedRequest, { id, checkout }: CheckoutToChange): Promise<Answer> {
    if (checkout.entityId !== asked.access.channel.id) throw new Refused(NO_PAYMENT_SESSION);
    const mode = modeReferredTo(asked, checkout.mode);
    if (mode === undefined) throw new Refused({ code: codes.modeDiffers });
    const admitted = { ...inCheckout(asked, id), mode };
    refuseViolations(checkoutUpdateFaults(asked.form, checkout.purpose));
    const form = changedForm(checkout, asked.form);
    checkKind({ ...admitted, form }, 'checkout');
    refuseUnpayable(form, asked.receivedAtMs);
    if (checkoutPurposeOf(form) !== checkout.purpose) throw new Refused(OTHER_PURPOSE);
    refuseViolations(namedRegistrationFaults(form, { pays: checkout.purpose === 'payment' }));
    const offered = await this.offered.named(admitted);
    if (offered.mode !== mode) throw new Refused({ code: codes.modeDiffers });
    const { registrations } = offered;
    const data = await this.#dataOf(admitted, `${CHECKOUTS}/${id}`, id);
    const { transactionId } = data;
    const command = commandMessage<UpdateCheckout>(admitted, transactionId, 'UpdateCheckout', {
      ...{ ...data, ...(registrations !== undefined && { registrations }) },
    });
    return this.#told({ admitted, command }, updatedAnswer);
  }

  /** Records an attempt before it is asked for. @throws Refused */
  async submit(admitted: AdmittedRequest, attempt: AttemptToSubmit): Promise<Submitted> {
    const { transactionId } = attempt;
    const url = admitted.form.get(RESULT_URL);
    // Whom nobody asks for the result is called there (Interface 3).
    const personal = url && (await this.commands.kept.seal(transactionId, { [RESULT_URL]: url }));
    const command = commandMessage<SubmitAttempt>(admitted, transactionId, 'SubmitAttempt', {
      ...{ ...attempt, context: requestContextOf(admitted) },
      ...(personal && { personal }),
    });
    return this.commands.send({ admitted, command }, this);
  }

  /** Records that something is saved, where its details are with the vault. @throws Refused */
  async save(admitted: AdmittedRequest, form: FormToRecord): Promise<Submitted> {
    const { fields, ...saving } = form;
    const { transactionId } = saving;
    const personal = await this.commands.kept.seal(transactionId, fields);
    const command = commandMessage<SaveForm>(admitted, transactionId, 'SaveForm', {
      ...{ ...saving, context: requestContextOf(admitted), personal },
    });
    return this.commands.send({ admitted, command }, this);
  }

  idOf({ command }: CheckoutSending): TransactionId {
    return command.data.transactionId;
  }

  isRejection(): boolean {
    return false;
  }

  needsInstrument(): boolean {
    return false;
  }

  replied(reply: CheckoutReply): Submitted {
    switch (reply.kind) {
      case 'recorded':
      case 'changed':
        return reply;
      case 'underWay':
      case 'succeeded':
        return { kind: 'instead', attempt: reply.attempt, isPaid: reply.kind === 'succeeded' };
      case 'savedOtherwise':
        return reply;
      case 'gone':
        throw new Refused(NO_PAYMENT_SESSION);
      case 'exhausted':
        throw new Refused(CHECKOUT_EXHAUSTED);
      case 'busy':
        throw new Refused(BUSY);
      case 'keyTaken':
        throw new TypeError('An attempt has no idempotency key.');
      case 'unavailable':
      case 'elsewhere':
        throw new Refused(UNAVAILABLE);
    }
  }

  unanswered(): never {
    throw new Refused(UNAVAILABLE);
  }

  uncertain(): never {
    throw new Refused(UNAVAILABLE);
  }

  failed(): Promise<Submitted> {
    return Promise.reject(new Refused(UNAVAILABLE));
  }

  /** Sends what a merchant asks for, and answers with the checkout's id. */
  #told(
    sending: Sending<CreateCheckout | UpdateCheckout>,
    answer: (id: CheckoutId, stamp: AnswerStamp) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const { command, admitted } = sending;
    const { checkoutId, idempotency } = command.data;
    return this.commands.send<typeof sending, CheckoutReply, Answer>(sending, {
      ...{ service: this.service, idOf: () => command.data.transactionId },
      ...{ isRejection: () => false, needsInstrument: () => false },
      ...{ unanswered: unavailable, uncertain: unavailable },
      failed: () => Promise.reject(new Refused(UNAVAILABLE)),
      replied: (reply) => {
        if (reply.kind === 'keyTaken') {
          if (reply.fingerprint !== idempotency?.fingerprint) throw new Refused(KEY_CONFLICT);
          return answer(reply.answer.id, reply.answer);
        }
        if (this.replied(reply).kind !== 'recorded') throw new Refused(CHECKOUT_UNDER_WAY);
        return answer(checkoutId, admitted.stamp);
      },
    });
  }

  /** What both of a merchant's commands say. */
  async #dataOf(
    admitted: AdmittedRequest,
    resource: string,
    checkoutId: CheckoutId,
  ): Promise<UpdateCheckout['data']> {
    const { form, receivedAtMs } = admitted;
    const key = idempotencyKeyOf(admitted, resource);
    const transactionId = newTransactionId(receivedAtMs, key);
    const { kept: keptParameters, claims } = this.commands;
    const { parameters, sealed } = await keptParameters.of(form, 'checkout', transactionId);
    return {
      ...{ transactionId, checkoutId, context: requestContextOf(admitted) },
      parameters: { ...parameters, ...checkoutParameters(form) },
      ...(sealed !== undefined && { personal: sealed }),
      ...claims.of(admitted, key, { id: checkoutId }),
    };
  }
}

/** The checkout that a change leads to; of stored accounts, a change names all anew. */
function changedForm({ parameters, personal, registrations = [] }: CheckoutToComplete, form: Form) {
  const offered = namedRegistrations(form).length > 0 ? {} : namingParameters(registrations);
  const before = { ...parameters, ...personal, ...offered };
  return formOfParameters({ ...before, ...Object.fromEntries(form.entries()) });
}

function unavailable(): never {
  throw new Refused(UNAVAILABLE);
}

/** What its shopper could do nothing about is said to the merchant, before there is a checkout. */
function refuseUnpayable(form: Form, nowMs: number): void {
  const rejection = checkoutRejection(form, nowMs);
  if (rejection !== undefined) throw new Refused(rejection);
}

const OTHER_PURPOSE = invalidParameters({
  name: 'paymentType',
  message: 'cannot be added to a checkout that only stores, nor taken from one that pays',
});

/** Whatever is said of a checkout has its id as `ndc` (wire contract 2): clients join by it. */
export function inCheckout<Asked extends { readonly stamp: AnswerStamp }>(
  asked: Asked,
  checkoutId: CheckoutId,
): Asked {
  return { ...asked, stamp: { ...asked.stamp, ndc: checkoutId } };
}
