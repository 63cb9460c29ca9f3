import {
  type BeginningOperation,
  type InitialOperation,
  type InstrumentKind,
  instrumentKinds,
  instruments,
  isServedKind,
  type RecordedOperation,
  type ReferenceOperation,
  referenceOperations,
  type RegistrationOperation,
  type ScheduleOperation,
} from '@sluice/contracts';

/** A new payment, by what it is paid with: `payment` is one by card (Interface 2.4 to 2.8). */
export type NewPaymentKind = (typeof instruments)[InstrumentKind]['request'];

/**
 * What a request wants: a new payment by some method; an operation that refers to a transaction;
 * `read`, a GET of one transaction; `query`, a search for them; `widgetPayment`, what the payment
 * widget posts from the shopper's browser to complete a checkout; or one of the other resources of
 * the interface.
 */
export type Kind =
  | NewPaymentKind
  | ReferenceOperation
  | 'read'
  | 'query'
  | 'checkout'
  | 'widgetPayment'
  | 'registration'
  | 'registrationUpdate'
  | 'schedule'
  | 'threeDSecure'
  | 'risk'
  | 'report';

/** The operations that refer to a transaction, in the order of the reference. */
export const referenceKinds = referenceOperations;

/** What refers to a payment and takes money from its account, perhaps on a day of its own. */
export const collectingReferences = [
  'capture',
  'rebill',
  'receipt',
] as const satisfies readonly ReferenceOperation[];

/** What ends before an acquirer is asked: an authentication and a risk check alone (wire contract 6). */
export const standaloneKinds = ['threeDSecure', 'risk'] as const;

/** One of them. */
export type StandaloneKind = (typeof standaloneKinds)[number];

/** Whether a kind is one of them. */
export function isStandaloneKind(kind: Kind): kind is StandaloneKind {
  return standaloneKinds.some((each) => each === kind);
}

/** New payments, in the order of the interface's sections. */
export const newPaymentKinds: readonly NewPaymentKind[] = [
  ...new Set(instrumentKinds.map((kind) => instruments[kind].request)),
];

const servedPayments: ReadonlySet<Kind> = new Set(
  instrumentKinds.filter((kind) => isServedKind(kind)).map((kind) => instruments[kind].request),
);

/** Whether a kind is a new payment, by whatever method. */
export function isNewPayment(kind: Kind): kind is NewPaymentKind {
  return newPaymentKinds.some((each) => each === kind);
}

/** Every kind, in the order of the reference. */
export const kinds: readonly Kind[] = [
  ...newPaymentKinds,
  ...referenceKinds,
  'read',
  'checkout',
  'widgetPayment',
  'registration',
  'registrationUpdate',
  'schedule',
  'threeDSecure',
  'risk',
  'query',
  'report',
];

/**
 * The kinds that this version does not serve. `refused`: what is sent is checked like any other, and
 * then recorded and refused with 600.200.500. `absent`: there is no path for it, so it is 404.
 */
export const unservedKinds: ReadonlyMap<Kind, 'refused' | 'absent'> = new Map<
  Kind,
  'refused' | 'absent'
>([
  ...newPaymentKinds
    .filter((kind) => !servedPayments.has(kind))
    .map((kind) => [kind, 'refused'] as const),
  ['report', 'absent'],
]);

/**
 * What kinds say of a parameter that is none of theirs, where it is refused and not ignored (D-38):
 * whoever asks for a change relies on it.
 */
export const refusalsOfOthers: ReadonlyMap<Kind, string> = new Map<Kind, string>([
  ['registrationUpdate', 'cannot be changed in a registration'],
]);

/** The kinds that end with a transaction, whose answer says what was sent. */
export const answeringKinds: readonly Kind[] = [
  ...newPaymentKinds,
  ...standaloneKinds,
  ...referenceKinds,
].filter((kind) => !unservedKinds.has(kind));

/** Payments and all that refers to them. */
export const paymentKinds = [...newPaymentKinds, ...referenceKinds] as const;

/** Whatever may say who buys, and where the goods go. */
export const shopperDataKinds = [
  ...newPaymentKinds,
  'checkout',
  'registration',
  'registrationUpdate',
  'schedule',
  'threeDSecure',
  'risk',
] as const;

/** Whatever of it the shopper may tell in the widget's form (Interface 4, wire contract 10). */
export const shopperInputKinds = [...shopperDataKinds, 'widgetPayment'] as const;

/** Basic payment parameters: of payments, of all that refers to them, and of checkouts (Interface 4). */
export const basicKinds = [...paymentKinds, 'checkout'] as const;

/** Whoever asks has access; the shopper's browser has none, and knows the checkout's id alone. */
export const accessKinds: readonly Kind[] = kinds.filter((kind) => kind !== 'widgetPayment');

/** `paymentType` of `POST /v1/payments` in words; the two letters go no further than the edge. */
export const initialOperationByType: ReadonlyMap<string, InitialOperation> = new Map([
  ['PA', 'authorization'],
  ['DB', 'debit'],
  ['CD', 'credit'],
]);

/** `paymentType` of `POST /v1/payments/{id}` in words; PA there increments, or reauthorizes (D-66). */
export const referenceOperationByType: ReadonlyMap<string, ReferenceOperation> = new Map([
  ['CP', 'capture'],
  ['RV', 'reversal'],
  ['RF', 'refund'],
  ['RB', 'rebill'],
  ['RC', 'receipt'],
  ['CB', 'chargeback'],
  ['CR', 'chargebackReversal'],
  ['PA', 'incrementalAuthorization'],
]);

const paymentTypes: Readonly<Record<BeginningOperation | ReferenceOperation, string>> = {
  authorization: 'PA',
  debit: 'DB',
  credit: 'CD',
  authentication: '3D',
  riskAssessment: 'RI',
  capture: 'CP',
  reversal: 'RV',
  refund: 'RF',
  rebill: 'RB',
  receipt: 'RC',
  chargeback: 'CB',
  chargebackReversal: 'CR',
  incrementalAuthorization: 'PA',
  reauthorization: 'PA',
};

const registrationTypes: Readonly<Record<RegistrationOperation, string>> = {
  registration: 'RG',
  update: 'RR',
  extension: 'TE',
  deletion: 'DR',
};

/** The `paymentType` that answers state for what is done to a registration (Interface 2.19). */
export function registrationTypeOf(operation: RegistrationOperation): string {
  return registrationTypes[operation];
}

const scheduleTypes: Readonly<Record<ScheduleOperation, string>> = {
  schedule: 'SD',
  reschedule: 'RS',
  deschedule: 'DS',
  deletion: 'DS',
};

/** The `paymentType` that answers state for what is done to a schedule (wire contract 6). */
export function scheduleTypeOf(operation: ScheduleOperation): string {
  return scheduleTypes[operation];
}

/** What a schedule has its runs do; SD, which names none, charges (wire contract 6). */
export function operationOfSchedule(paymentType: string): InitialOperation {
  return initialOperationByType.get(paymentType) ?? 'debit';
}

const { deletion: _, ...scheduleEntryTypes } = scheduleTypes;
const recordedTypes = { ...paymentTypes, ...registrationTypes, ...scheduleEntryTypes };

/** The operations that queries state as this `paymentType`; none for one that is not served. */
export function operationsOfPaymentType(paymentType: string): readonly RecordedOperation[] {
  const operations = Object.entries(recordedTypes) as [RecordedOperation, string][];
  return operations.filter(([, code]) => code === paymentType).map(([operation]) => operation);
}

/** The `paymentType` an answer states for an operation. */
export function paymentTypeOf(operation: BeginningOperation | ReferenceOperation): string {
  return paymentTypes[operation];
}

/** What an answer can state as its `paymentType`, in the order of the operations. */
export const answeredPaymentTypes: readonly string[] = [...new Set(Object.values(paymentTypes))];

/** What requests of these kinds may state as their `paymentType`; none where nobody says. */
export function paymentTypesOf(of: readonly Kind[]): readonly string[] {
  const initial = of.some(isNewPayment);
  const types = [
    ...(of.includes('schedule') ? [scheduleTypes.schedule] : []),
    ...(initial || of.includes('schedule') ? initialOperationByType.keys() : []),
    ...[...referenceOperationByType]
      .filter(([, operation]) => of.includes(operation))
      .map(([type]) => type),
  ];
  return [...new Set(types)];
}
