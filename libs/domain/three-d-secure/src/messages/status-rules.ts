import type { Facts } from './field-rows.js';
import { elementOf, type Fault } from './formats.js';
import type { MessageType } from './message-kinds.js';

/** A rule between elements, or between a message and its AReq, which no single row can say. */
interface StatusRule {
  readonly messages: readonly MessageType[];
  readonly element: string;
  /** Why, in words, for the reference. */
  readonly rule: string;
  readonly isBroken: (facts: Facts) => boolean;
}

/** EMV 3-D Secure, table A.17 and the notes of table A.1. */
export const statusRules: readonly StatusRule[] = [
  {
    messages: ['ARes'],
    element: 'transStatus',
    rule: 'C and S are not for a shopper who is not there (3RI).',
    isBroken: ({ value, channel }) => channel === '03' && isIn(value('transStatus'), 'C', 'S'),
  },
  {
    messages: ['ARes'],
    element: 'transStatus',
    rule: 'D is only where threeDSRequestorDecReqInd of AReq is Y or B.',
    isBroken: ({ value, request }) =>
      value('transStatus') === 'D' &&
      asked(request, 'threeDSRequestorDecReqInd', 'Y', 'B') === false,
  },
  {
    messages: ['RReq'],
    element: 'transStatus',
    rule: 'D is only where threeDSRequestorDecReqInd of AReq is F or B.',
    isBroken: ({ value, request }) =>
      value('transStatus') === 'D' &&
      asked(request, 'threeDSRequestorDecReqInd', 'F', 'B') === false,
  },
  {
    messages: ['ARes'],
    element: 'transStatus',
    rule: 'S is only where threeDSRequestorSpcSupport of AReq is Y.',
    isBroken: ({ value, request }) =>
      value('transStatus') === 'S' && asked(request, 'threeDSRequestorSpcSupport', 'Y') === false,
  },
  {
    messages: ['ARes'],
    element: 'acsDecConInd',
    rule: 'N is not where transStatus is D, and Y not where AReq did not allow it.',
    isBroken: ({ value, request }) =>
      (value('acsDecConInd') === 'N' && value('transStatus') === 'D') ||
      (value('acsDecConInd') === 'Y' &&
        asked(request, 'threeDSRequestorDecReqInd', 'Y', 'F', 'B') === false),
  },
  {
    messages: ['ARes'],
    element: 'transStatus',
    rule: 'C is not where threeDSRequestorChallengeInd of AReq is 06: data is shared, and nothing else.',
    isBroken: ({ value, request }) => value('transStatus') === 'C' && isDataShared(request),
  },
  {
    messages: ['AReq'],
    element: 'messageCategory',
    rule: 'In 2.1.0 there is no payment without the shopper (3RI).',
    isBroken: ({ version, channel, category }) =>
      version === '2.1.0' && channel === '03' && category === '01',
  },
];

/** The elements whose values break a rule. */
export function statusFaults(type: MessageType, facts: Facts): readonly Fault[] {
  return statusRules
    .filter(({ messages, isBroken }) => messages.includes(type) && isBroken(facts))
    .map(({ element }) => ({ code: '203', element }));
}

/** A list since 2.3.1. */
function isDataShared(request: Facts['request']): boolean {
  const wish = elementOf(request ?? {}, 'threeDSRequestorChallengeInd');
  return wish === DATA_SHARED || (Array.isArray(wish) && wish.includes(DATA_SHARED));
}

const DATA_SHARED = '06';

function isIn(value: unknown, ...values: readonly string[]): boolean {
  return typeof value === 'string' && values.includes(value);
}

/** Whether AReq has one of the values; unknown where AReq is. */
function asked(
  request: Facts['request'],
  name: string,
  ...values: readonly string[]
): boolean | undefined {
  return request && isIn(elementOf(request, name), ...values);
}
