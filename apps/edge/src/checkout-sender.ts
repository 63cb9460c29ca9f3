import type { CheckoutCommandMessage, CheckoutReply, CreateCheckout } from '@sluice/contracts';
import {
  type CheckoutId,
  newCheckoutId,
  newTransactionId,
  type TransactionId,
} from '@sluice/identifiers';
import { checkoutFaults, checkoutParameters, checkoutPurposeOf } from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { createdAnswer } from './checkout-answer.js';
import { checkKind, refuseViolations } from './checked-form.js';
import type { CommandClient, Sending, ServiceCommands } from './command-client.js';
import { commandMessage } from './command-message.js';
import { idempotencyKeyOf, KEY_CONFLICT } from './idempotency-claims.js';
import { BUSY, UNAVAILABLE } from './refusals.js';
import { requestContextOf } from './request-context.js';

/** The resource that checkouts are made in, as the scope of idempotency keys names it. */
const CHECKOUTS = '/v1/checkouts';

type CheckoutSending = Sending<CheckoutCommandMessage>;

/**
 * Sends commands to checkouts. Nobody can do anything with a checkout whose id was not told, so
 * whatever is not known to be recorded is "unavailable", and is asked for again.
 */
export class CheckoutSender implements ServiceCommands<CheckoutSending, CheckoutReply> {
  readonly service = 'checkouts';

  /** @param label what the ids end with, see `newCheckoutId` */
  constructor(
    private readonly commands: CommandClient,
    private readonly label: string,
  ) {}

  /** Makes a checkout of a form. @throws Refused */
  async create(asked: AdmittedRequest): Promise<Answer> {
    checkKind(asked, 'checkout');
    refuseViolations(checkoutFaults(asked.form));
    const checkoutId = newCheckoutId(this.label);
    const admitted = inCheckout(asked, checkoutId);
    const { form, receivedAtMs } = admitted;
    const key = idempotencyKeyOf(admitted, CHECKOUTS);
    const transactionId = newTransactionId(receivedAtMs, key);
    const { kept: keptParameters, claims } = this.commands;
    const { parameters, sealed } = await keptParameters.of(form, 'checkout', transactionId);
    const command = commandMessage<CreateCheckout>(admitted, transactionId, 'CreateCheckout', {
      ...{ transactionId, checkoutId, purpose: checkoutPurposeOf(form) },
      context: requestContextOf(admitted),
      parameters: { ...parameters, ...checkoutParameters(form) },
      ...(sealed !== undefined && { personal: sealed }),
      ...claims.of(admitted, key, { id: checkoutId }),
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

  replied(reply: CheckoutReply, { command, admitted }: CheckoutSending): Answer {
    switch (reply.kind) {
      case 'recorded':
        return createdAnswer(command.data.checkoutId, admitted.stamp);
      case 'keyTaken':
        if (reply.fingerprint !== command.data.idempotency?.fingerprint) {
          throw new Refused(KEY_CONFLICT);
        }
        return createdAnswer(reply.answer.id, reply.answer);
      case 'busy':
        throw new Refused(BUSY);
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

  failed(): Promise<Answer> {
    return Promise.reject(new Refused(UNAVAILABLE));
  }
}

/** Whatever is said of a checkout has its id as `ndc` (wire contract 2): clients join by it. */
function inCheckout(admitted: AdmittedRequest, checkoutId: CheckoutId): AdmittedRequest {
  return { ...admitted, stamp: { ...admitted.stamp, ndc: checkoutId } };
}
