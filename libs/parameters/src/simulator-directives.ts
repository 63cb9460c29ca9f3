import { avsResponses, cvvResponses } from '@sluice/contracts';
import type { Format } from './format.js';
import { digits, integer, oneOf, text } from './formats.js';

/** The simulator waits no longer; its own grammar says the same, which a test over HTTP compares. */
const FAULT_DELAY_MAX_MS = 600_000;

const TIMED_FAULT = /^(?:delay|late):([0-9]{1,6})$/;
const PLAIN_FAULTS = ['drop-before', 'drop-after', 'http-500', 'garbage', 'twice'] as const;

const fault: Format = {
  text: `delay:ms, late:ms (ms 0 to ${FAULT_DELAY_MAX_MS}), ${PLAIN_FAULTS.join(', ')}`,
  accepts: isFault,
  message: `must be delay:<ms> or late:<ms> (0 to ${FAULT_DELAY_MAX_MS}), or one of ${PLAIN_FAULTS.join(', ')}`,
  schema: {
    type: 'string',
    pattern: `^(?:(?:delay|late):[0-9]{1,6}|${PLAIN_FAULTS.join('|')})$`,
  },
  accepted: 'delay:1500',
  refused: 'delay:600001',
  parse: (value) => value,
};

const RESULT_CODE_CHARACTERS_MAX = 11;
/** Counted in characters, as the simulator counts them, and not in UTF-16. */
const anyCode = text({ min: 0, max: RESULT_CODE_CHARACTERS_MAX });
/** The whole group: what no acquirer answers to a request, but an issuer does long after it. */
const CHARGEBACK_GROUP = '000.100.2';

/** D-73: a debit with a chargeback's code would look to clients like money that was taken back. */
const forcedResultCode: Format = {
  text: 'AN11, len 0-11, of no chargeback',
  accepts: (value) => anyCode.accepts(value) && !value.startsWith(CHARGEBACK_GROUP),
  message:
    `must have at most ${RESULT_CODE_CHARACTERS_MAX} characters and be no chargeback code: ` +
    'CB reports a chargeback, with chargebackResultCode',
  schema: {
    type: 'string',
    maxLength: RESULT_CODE_CHARACTERS_MAX,
    pattern: String.raw`^(?!000\.100\.2)`,
  },
  accepted: '800.100.155',
  refused: '000.100.203',
  parse: (value) => value,
};

/** In milliseconds; handed on as it came. */
const delay: Format = { ...integer(6, 0, FAULT_DELAY_MAX_MS), parse: (value) => value };

/**
 * What a test may tell the simulator to do: custom parameters, by the name in brackets, and the form
 * of each (D-48). A malformed one would be refused by the simulator, and look like an acquirer that
 * performs nothing. Whether a forced code exists is for the simulator to say (`600.200.810`).
 *
 * A new directive is one row here. It reaches the connector in clear, so its form must leave no room
 * for a card number.
 */
export const simulatorDirectives: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['forceResultCode', forcedResultCode],
  ['simulator.fault', fault],
  ['simulator.avs', oneOf(...avsResponses)],
  ['simulator.cvv', oneOf(...cvvResponses)],
  ['simulator.precondition', oneOf('hidden-frame')],
  // Which of them a network has is in the tables of advice; the simulator says what it is told to.
  ['simulator.advice', digits(2, 2)],
  // Of the issuers of cards, who are the simulator's too (result codes 7).
  ['3DS2_enrolled', oneOf('true', 'false')],
  ['3DS2_flow', oneOf('challenge', 'frictionless')],
  ['3DS2_status', oneOf('Y', 'A', 'N', 'U', 'R', 'I')],
  ['3DS2_delay', delay],
  [
    '3DS2_fault',
    oneOf(
      ...(['noAnswer', 'http500', 'notJson', 'erro', 'wrongTransactionId'] as const),
      ...(['wrongVersion', 'noCryptogram', 'hostileAcsUrl', 'hostileJson', 'rreqNever'] as const),
      ...(['rreqLate', 'rreqTwice', 'rreqBeforeCreq', 'rreqForged'] as const),
    ),
  ],
]);

function isFault(value: string): boolean {
  if (PLAIN_FAULTS.some((plain) => plain === value)) return true;
  const digits = TIMED_FAULT.exec(value)?.[1];
  return digits !== undefined && Number.parseInt(digits, 10) <= FAULT_DELAY_MAX_MS;
}
