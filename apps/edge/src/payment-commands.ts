import {
  type CardSummary,
  COMMAND_TIME_TO_LIVE_MS,
  type IdempotencyClaim,
  type InitialOperation,
  type InitiatePayment,
  type PaymentCommand,
  type PaymentCommandData,
  type PersonalEnvelope,
  type ReferenceOperation,
  type ReferToPayment,
  type ReferenceContext,
  type RequestContext,
  type UnservedMethod,
} from '@sluice/contracts';
import { chainShard, newMessageId, type TransactionId } from '@sluice/identifiers';
import { toMessage } from '@sluice/money';
import {
  amountOf,
  firstRejection,
  type Form,
  isNewPayment,
  type Kind,
  paymentMethodOf,
  read,
  shownBrandOf,
  testDirectivesIn,
} from '@sluice/parameters';
import type { Admitted } from './admission.js';

/** D-15: a command above this is refused, because the brokers behind us would refuse it. */
export const COMMAND_BYTES_MAX = 2 * 1024 * 1024;

/** What both commands are made of. */
export interface CommandParts {
  readonly admitted: Admitted;
  readonly kind: Kind;
  readonly transactionId: TransactionId;
  /** What is kept of the form in clear. */
  readonly parameters: PaymentCommandData['parameters'];
  /** What is personal in it, if anything is. */
  readonly sealed?: PersonalEnvelope;
  readonly idempotency?: IdempotencyClaim;
}

/**
 * A form without violations as the command that begins a payment (Interface 4). Without a card it
 * is a rejection, and says by which method somebody wanted to pay.
 */
export function initiatePayment(
  parts: CommandParts,
  operation: InitialOperation,
  card: CardSummary | undefined,
): InitiatePayment {
  const { admitted, kind } = parts;
  const { form } = admitted;
  const amount = amountOf(form);
  if (amount === undefined) {
    throw new TypeError('a payment without amount passed the catalogue');
  }
  const numberOfCaptures = read(form, 'numberOfCaptures');
  return message(parts, 'InitiatePayment', {
    ...commonData(parts),
    context: { ...contextOf(admitted), mode: admitted.mode },
    operation,
    amount: toMessage(amount),
    ...(card === undefined ? { method: unservedMethod(form, kind) } : { card }),
    ...(numberOfCaptures !== undefined && { numberOfCaptures }),
  });
}

/** A form without violations as the command that refers to a transaction (D-29 to D-33). */
export function referToPayment(
  parts: CommandParts,
  operation: ReferenceOperation,
  referencedId: TransactionId,
): ReferToPayment {
  const { admitted } = parts;
  const { form } = admitted;
  const chargebackResultCode =
    operation === 'chargeback' ? form.get('chargebackResultCode') : undefined;
  return message(parts, 'ReferToPayment', {
    ...commonData(parts),
    context: referenceContextOf(admitted),
    referencedId,
    operation,
    ...amountFields(form),
    final: form.get('sequence') === 'FINAL',
    ...(chargebackResultCode !== undefined && { chargebackResultCode }),
  });
}

/** Whether a command is too large for the way it must go; costs nothing for ordinary ones. */
export function isTooLarge(command: PaymentCommand, form: Form): boolean {
  return (
    largestSize(form) > COMMAND_BYTES_MAX &&
    Buffer.byteLength(JSON.stringify(command)) > COMMAND_BYTES_MAX
  );
}

/** A reversal may come without an amount; the currency it names is compared all the same (D-29). */
function amountFields(form: Form): Pick<ReferToPayment['data'], 'amount' | 'currency'> {
  const amount = amountOf(form);
  if (amount !== undefined) return { amount: toMessage(amount) };
  const currency = form.get('currency');
  return currency === undefined ? {} : { currency };
}

type CommonData = Omit<PaymentCommandData, 'context'> &
  Pick<ReferToPayment['data'], 'rejection'> &
  Pick<InitiatePayment['data'], 'rejectionDescription'>;

function commonData(parts: CommandParts): CommonData {
  const { admitted, kind, transactionId, parameters, sealed, idempotency } = parts;
  const { form, mode, receivedAtMs } = admitted;
  const rejection = firstRejection(form, { kind, mode, nowMs: receivedAtMs });
  const description = rejection?.description;
  const testDirectives = mode === 'LIVE' ? undefined : testDirectivesIn(form);
  return {
    transactionId,
    parameters,
    ...(sealed !== undefined && { personal: sealed }),
    ...(testDirectives !== undefined && { testDirectives }),
    ...(idempotency !== undefined && { idempotency }),
    ...(rejection !== undefined && { rejection: rejection.code }),
    ...(description !== undefined && { rejectionDescription: description }),
  };
}

function unservedMethod(form: Form, kind: Kind): UnservedMethod {
  if (!isNewPayment(kind)) throw new TypeError(`a ${kind} is paid by no method`);
  const { code: paymentMethod } = paymentMethodOf(form, kind);
  const brand = shownBrandOf(form);
  return {
    ...(paymentMethod !== undefined && { paymentMethod }),
    ...(brand !== undefined && { brand }),
  };
}

/** A test that does not say its mode has that of what it refers to; on live there is one (D-64). */
function referenceContextOf(admitted: Admitted): ReferenceContext {
  const { form, mode } = admitted;
  const isSaid = mode === 'LIVE' || form.has('testMode');
  return { ...contextOf(admitted), ...(isSaid && { mode }) };
}

function contextOf({ access, stamp, receivedAtMs }: Admitted): Omit<RequestContext, 'mode'> {
  return {
    entityId: access.channel.id,
    channelName: access.channel.name,
    ndc: stamp.ndc,
    manualChargebacks: access.channel.manualChargebacks,
    receivedAtMs,
    actor: access.actor,
  };
}

function message<Command extends PaymentCommand>(
  { admitted, transactionId }: CommandParts,
  type: Command['type'],
  data: Command['data'],
): Command {
  const id = newMessageId(admitted.receivedAtMs);
  return {
    id,
    type,
    schemaVersion: 1,
    key: chainShard(transactionId),
    correlationId: admitted.stamp.ndc,
    causationId: id,
    timeToLiveMs: COMMAND_TIME_TO_LIVE_MS,
    data,
  } as Command;
}

/**
 * JSON may need six bytes for one character, which sealed are eight, and a command has some 2 kB
 * besides the form.
 */
const BYTES_PER_CHARACTER_MAX = 8;

function largestSize(form: Form): number {
  let characters = 0;
  for (const [name, value] of form.entries()) {
    characters += name.length + value.length;
  }
  return characters * BYTES_PER_CHARACTER_MAX;
}
