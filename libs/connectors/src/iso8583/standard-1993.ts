import { actionCodes } from './action-codes.js';
import type { MessageFields } from './message-format.js';
import { transmittedAt } from './message-keys.js';
import type { PaymentCircumstances } from './payment-circumstances.js';
import type { Standard } from './standard.js';

const SALE = '000000';
const REFUND = '200000';
const AMOUNT_DIGITS = 12;
/** Of the length before an institution in field 56. */
const LENGTH_DIGITS = 2;

/**
 * Field 22, the point of service data code, by its twelve places: what a terminal could do, where it
 * stands, and how this payment came about. There is no terminal here, and the card is never present.
 */
const PLACES = {
  inputCapability: '1', // By hand, without a terminal.
  authenticationCapability: '0',
  captureCapability: '0',
  environment: '0', // No terminal.
  shopper: '',
  card: '0', // Not present.
  inputMode: '',
  authenticationMethod: '0', // By 3-D Secure no place can say: element 42 of field 48 does.
  authenticationEntity: '0',
  cardOutput: '1', // None.
  terminalOutput: '1', // None.
  pinCapture: '0', // No PIN can be entered.
} as const;

/** The fifth place. The standard has none for an order on the web; dialects have made it 5. */
const SHOPPERS: Readonly<Record<PaymentCircumstances['order'], string>> = {
  mailOrTelephone: '1',
  mail: '2',
  telephone: '3',
  agreement: '4',
  online: '5',
};

/** The seventh place: typed in, or, for a number that was kept, nothing that the standard knows. */
const INPUT_MODES: Readonly<Record<PaymentCircumstances['entered'], string>> = {
  byShopper: '1',
  byMerchant: '1',
  earlier: '0',
};

function pointOfService({ entered, order }: PaymentCircumstances): string {
  const said = { ...PLACES, shopper: SHOPPERS[order], inputMode: INPUT_MODES[entered] };
  return Object.values(said).join('');
}

/** Messages that have no card say what a payment on the web does, as those of 1987. */
const ORDINARY = { pointOfService: pointOfService({ entered: 'byShopper', order: 'online' }) };

/** Field 24, the function code: why a message is sent. */
const FUNCTIONS = {
  authorization: '100',
  financial: '200',
  captureOfSame: '201',
  captureOfOther: '202',
  reversal: '400',
  signOn: '801',
  signOff: '802',
  echo: '831',
} as const;

/** Field 25, the message reason code, of a reversal. */
const REASONS = { cancelled: '4000', noAnswer: '4021' } as const;

/** ISO 8583:1993. */
export const standard1993: Standard = {
  version: '1993',
  operations: {
    authorization: {
      type: '1100',
      fields: { processingCode: SALE, ...ORDINARY, functionCode: FUNCTIONS.authorization },
    },
    debit: {
      type: '1200',
      fields: { processingCode: SALE, ...ORDINARY, functionCode: FUNCTIONS.financial },
    },
    credit: {
      type: '1200',
      fields: { processingCode: REFUND, ...ORDINARY, functionCode: FUNCTIONS.financial },
    },
    // An advice that completes an authorization. Which function it has, its amount says.
    capture: { type: '1220', fields: { processingCode: SALE, ...ORDINARY } },
    refund: {
      type: '1200',
      fields: { processingCode: REFUND, ...ORDINARY, functionCode: FUNCTIONS.financial },
    },
    // Reversals are advices alone: there is no request to reverse.
    reversal: {
      type: '1420',
      fields: {
        ...{ processingCode: SALE, ...ORDINARY },
        ...{ functionCode: FUNCTIONS.reversal, reasonCode: REASONS.cancelled },
      },
    },
  },
  undo: {
    ...{ first: '1420', again: '1421' },
    fields: { functionCode: FUNCTIONS.reversal, reasonCode: REASONS.noAnswer },
  },
  network: {
    ...{ type: '1804', answerType: '1814', done: '800' },
    timeFields: (localDateTime) => ({
      transmittedAt: transmittedAt(localDateTime),
      localDateTime,
    }),
    purposes: {
      signOn: { functionCode: FUNCTIONS.signOn },
      signOff: { functionCode: FUNCTIONS.signOff },
      echo: { functionCode: FUNCTIONS.echo },
    },
  },
  responses: actionCodes,
  keyFields: (keys) => ({ ...keys }),
  circumstanceFields: (circumstances) => ({ pointOfService: pointOfService(circumstances) }),
  originalData: ({ type, keys, acquirerId }) => {
    const length = String(acquirerId.length).padStart(LENGTH_DIGITS, '0');
    return type + keys.trace + keys.localDateTime + length + acquirerId;
  },
  captureFields,
};

function captureFields(
  minor: bigint,
  authorizedMinor: bigint | undefined,
): MessageFields | undefined {
  if (authorizedMinor === undefined) return undefined;
  if (minor === authorizedMinor) return { functionCode: FUNCTIONS.captureOfSame };
  // The second amount is in the currency of reconciliation, of which nothing is known here.
  const originalAmounts = amountText(authorizedMinor) + amountText(0n);
  return { functionCode: FUNCTIONS.captureOfOther, originalAmounts };
}

function amountText(minor: bigint): string {
  return minor.toString().padStart(AMOUNT_DIGITS, '0');
}
