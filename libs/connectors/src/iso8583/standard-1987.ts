import { transmittedAt } from './message-keys.js';
import { responses } from './response-codes.js';
import type { Standard } from './standard.js';

/** Electronic commerce: the shopper has just entered the number. Messages that have no card say so too. */
const ORDINARY = { entryMode: '812', conditionCode: '59' } as const;
const SALE = '000000';
const REFUND = '200000';

/** Field 22: how the number was entered; the last digit says that no PIN can be. */
const ENTRY_MODES = { byShopper: ORDINARY.entryMode, byMerchant: '012', earlier: '102' } as const;
/** Field 25: by post, by telephone, or as agreed earlier: the shopper is not there. */
const ABSENT = '08';
/** Of acquirer and forwarder in field 90. */
const INSTITUTION_DIGITS = 11;

/** ISO 8583:1987. */
export const standard1987: Standard = {
  version: '1987',
  operations: {
    authorization: { type: '0100', fields: { processingCode: SALE, ...ORDINARY } },
    debit: { type: '0200', fields: { processingCode: SALE, ...ORDINARY } },
    credit: { type: '0200', fields: { processingCode: REFUND, ...ORDINARY } },
    // The completion of an authorization, an advice: it is told, not asked.
    capture: { type: '0220', fields: { processingCode: SALE, ...ORDINARY, conditionCode: '06' } },
    refund: { type: '0200', fields: { processingCode: REFUND, ...ORDINARY } },
    reversal: { type: '0400', fields: { processingCode: SALE, ...ORDINARY } },
  },
  undo: { first: '0420', again: '0421', fields: {} },
  network: {
    ...{ type: '0800', answerType: '0810', done: '00' },
    timeFields: (localDateTime) => ({ transmittedAt: transmittedAt(localDateTime) }),
    purposes: {
      signOn: { networkCode: '001' },
      signOff: { networkCode: '002' },
      echo: { networkCode: '301' },
    },
  },
  responses,
  keyFields: ({ localDateTime, ...keys }) => ({
    ...keys,
    localDate: localDateTime.slice(2, 6),
    localTime: localDateTime.slice(6),
  }),
  circumstanceFields: ({ entered, order }) => ({
    entryMode: ENTRY_MODES[entered],
    conditionCode: order === 'online' ? ORDINARY.conditionCode : ABSENT,
  }),
  originalData: ({ type, keys, acquirerId }) => {
    const institution = acquirerId.padStart(INSTITUTION_DIGITS, '0');
    const forwarder = '0'.repeat(INSTITUTION_DIGITS);
    return type + keys.trace + keys.transmittedAt + institution + forwarder;
  },
  captureFields: () => ({}),
};
