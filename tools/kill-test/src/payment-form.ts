import { fieldsOf } from './instruments.js';
import type { PlannedRequest } from './plan.js';

/** What a request says that no plan knows: ids that answers have told, and a shopper's token. */
export interface Learnt {
  readonly agreementId?: string | undefined;
  /** Of a registration that was stored with a payment. */
  readonly storedId?: string | undefined;
  /** Of the wallet that is its instrument. */
  readonly token?: string;
}

/** What a planned request says, as a form. */
export function paymentForm(entityId: string, planned: PlannedRequest, learnt: Learnt): string {
  const { operation, amountMinor, numberOfCaptures } = planned;
  const form = new URLSearchParams({
    entityId,
    paymentType: operation,
    merchantTransactionId: planned.reference,
    ...(planned.refersTo === undefined ? paidWith(planned, learnt) : {}),
    ...agreed(planned, learnt),
    ...simulatorFields(planned),
  });
  if (amountMinor !== undefined) {
    form.set('amount', decimal(amountMinor));
    form.set('currency', 'EUR');
  }
  if (planned.storesCard === true) form.set('createRegistration', 'true');
  if (numberOfCaptures !== undefined) form.set('numberOfCaptures', String(numberOfCaptures));
  if (planned.isFinal) form.set('sequence', 'FINAL');
  return form.toString();
}

/** What the simulator is to do, as the merchant says it. */
export function simulatorFields({
  fault,
  forcedCode,
}: Pick<PlannedRequest, 'fault' | 'forcedCode'>): Readonly<Record<string, string>> {
  return {
    ...(fault !== undefined && { 'customParameters[simulator.fault]': fault }),
    ...(forcedCode !== undefined && { 'customParameters[forceResultCode]': forcedCode }),
  };
}

function paidWith(
  planned: PlannedRequest,
  { storedId, token }: Learnt,
): Readonly<Record<string, string>> {
  const { shopper, registrationId = storedId, instrument = 'card', continues } = planned;
  if (shopper !== undefined) {
    return { paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/result' };
  }
  if (registrationId !== undefined) return { registrationId };
  // One mandate for all collections of an agreement.
  const reference = continues ?? planned.reference;
  const fields = fieldsOf(instrument, { reference, isProven: continues === undefined });
  return token === undefined ? fields : { ...fields, [`${instrument}.paymentToken`]: token };
}

function agreed(
  { begins, continues }: PlannedRequest,
  { agreementId }: Learnt,
): Readonly<Record<string, string>> {
  if (continues !== undefined && agreementId !== undefined) {
    return {
      ...standing({ type: 'UNSCHEDULED', mode: 'REPEATED', source: 'MIT' }),
      ...standing({ agreementId }),
    };
  }
  if (begins === undefined) return {};
  const { authorizationsMax } = begins;
  return {
    ...standing({ type: 'UNSCHEDULED', mode: 'INITIAL', source: 'CIT' }),
    ...(authorizationsMax === undefined
      ? {}
      : standing({ numberOfInstallments: String(authorizationsMax) })),
  };
}

function standing(said: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => [`standingInstruction.${name}`, value]),
  );
}

/** 9250 → `92.50`. */
export function decimal(minor: number): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
