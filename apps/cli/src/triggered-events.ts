/** One request of a merchant; `{0}` stands for the id that the first request was answered with, and so on. */
export interface TriggerStep {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** How it has to end, by its result code. */
  readonly ends: RegExp;
}

const APPROVED = /^000\.[136]00\./;
const PENDING = /^000\.200\./;
const DECLINED = /^800\./;
const REJECTED = /^700\./;
/** Where no rules hold nothing is judged, and that is told as well. */
const JUDGED = /^(?:000\.300\.100|000\.400\.|100\.38|600\.200\.500)/;

const MONEY = { amount: '92.00', currency: 'EUR' };
/** No account of anybody: the simulator approves it. */
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '12', 'card.expiryYear': '2034' },
};
const CARD_AT_HAND = { ...CARD, 'card.cvv': '123' };
const SCHEDULE = { ...MONEY, registrationId: '{0}', paymentType: 'SD' };
/** A day that nobody who triggers it waits for. */
const LATER = { 'job.expression': '0 0 8 1 1 ? 2099' };
/** In the next second, and never again. */
const AT_ONCE = {
  ...{ 'job.expression': '* * * * * ? *', 'job.durationUnit': 'SECOND', 'job.durationNumber': '1' },
};

function posted(path: string, fields: TriggerStep['fields'], ends = APPROVED): TriggerStep {
  return { method: 'POST', path, fields, ends };
}

function paid(paymentType: string, more: TriggerStep['fields'] = {}, ends = APPROVED): TriggerStep {
  return posted('/v1/payments', { ...MONEY, ...CARD_AT_HAND, paymentType, ...more }, ends);
}

function referred(
  paymentType: string,
  fields: TriggerStep['fields'] = MONEY,
  ends = APPROVED,
): TriggerStep {
  return posted('/v1/payments/{0}', { ...fields, paymentType }, ends);
}

const stored = posted('/v1/registrations', CARD);
const scheduled = posted('/scheduling/v1/schedules', { ...SCHEDULE, ...LATER });

/** What can be made to happen, with the requests that do it, one after the other. */
export const triggeredEvents = {
  'payment.approved': [paid('DB')],
  'payment.authorized': [paid('PA')],
  'payment.declined': [
    paid('DB', { 'customParameters[forceResultCode]': '800.100.155' }, DECLINED),
  ],
  'payment.pending': [
    posted(
      '/v1/payments',
      {
        ...{ ...MONEY, paymentType: 'DB', paymentBrand: 'PAYPAL' },
        shopperResultUrl: 'https://shop.example/result',
      },
      PENDING,
    ),
  ],
  'payment.rejected': [paid('PA'), referred('RF', MONEY, REJECTED)],
  'payment.captured': [paid('PA'), referred('CP')],
  'payment.reversed': [paid('PA'), referred('RV', {})],
  'payment.refunded': [paid('DB'), referred('RF')],
  'payment.credited': [paid('CD')],
  'payment.chargeback': [paid('DB'), referred('CB')],
  'payment.chargebackReversed': [
    ...[paid('DB'), referred('CB')],
    posted('/v1/payments/{1}', { ...MONEY, paymentType: 'CR' }),
  ],
  'registration.created': [stored],
  'registration.updated': [
    stored,
    posted('/v1/registrations/{0}', { 'card.expiryMonth': '11', 'card.expiryYear': '2035' }),
  ],
  'registration.deleted': [
    stored,
    { method: 'DELETE', path: '/v1/registrations/{0}', fields: {}, ends: APPROVED },
  ],
  'schedule.created': [stored, scheduled],
  'schedule.run': [stored, posted('/scheduling/v1/schedules', { ...SCHEDULE, ...AT_ONCE })],
  'schedule.rescheduled': [
    ...[stored, scheduled],
    posted('/scheduling/v1/schedules/{1}/reschedule', { amount: '46.00', currency: 'EUR' }),
  ],
  'schedule.descheduled': [
    ...[stored, scheduled],
    posted('/scheduling/v1/schedules/{1}/deschedule', {}),
  ],
  'schedule.deleted': [
    ...[stored, scheduled],
    { method: 'DELETE', path: '/scheduling/v1/schedules/{1}', fields: {}, ends: APPROVED },
  ],
  'risk.checked': [posted('/v1/risk', { ...MONEY, ...CARD }, JUDGED)],
} as const satisfies Readonly<Record<string, readonly TriggerStep[]>>;

/** The name of one. */
export type TriggeredEvent = keyof typeof triggeredEvents;
/** All of them. */
export const triggeredEventNames = Object.keys(triggeredEvents) as readonly TriggeredEvent[];
