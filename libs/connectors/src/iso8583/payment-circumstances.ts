import type { RequestParameters } from '../connector.js';
import { ELEMENT_CHARACTERS_MAX } from './additional-data.js';

/** What the message of a payment says of how it came about. */
export interface PaymentCircumstances {
  /** Field 22: how the number was entered; the last digit says that no PIN can be. */
  readonly entryMode: string;
  /** Field 25. */
  readonly conditionCode: string;
  /** For field 48: by what the acquirer knows the first payment of its agreement. */
  readonly initialTransaction?: string;
}

/** Electronic commerce: the shopper has just entered the number. Messages that have no card say so too. */
export const ORDINARY = {
  entryMode: '812',
  conditionCode: '59',
} as const satisfies PaymentCircumstances;
/** The number was kept since an earlier payment. */
const STORED = '102';
/** Somebody typed in what came by post or telephone. */
const TYPED_IN = '012';
/** By post, by telephone, or as agreed earlier: the shopper is not there. */
const ABSENT = '08';

const PLAIN_CHARACTERS = /^[!-~]+$/;

/**
 * What a host of 1987 can be told of a standing instruction and of an order by post or telephone
 * (page 0050); undefined where it names its first payment by what no field can carry.
 */
export function circumstancesOf(
  parameters: RequestParameters | undefined,
): PaymentCircumstances | undefined {
  const said = parameters?.['standingInstruction'];
  const { mode, source, initialTransactionId } = isNested(said) ? said : {};
  const byMerchant = source === 'MIT';
  const isOrder = ORDERS.includes(parameters?.['transactionCategory']);
  const named = mode === 'INITIAL' ? undefined : initialTransactionId;
  if (named !== undefined && !isCarried(named)) return undefined;
  const entryMode = isOrder ? TYPED_IN : ORDINARY.entryMode;
  return {
    entryMode: byMerchant || mode === 'REPEATED' ? STORED : entryMode,
    conditionCode: byMerchant || isOrder ? ABSENT : ORDINARY.conditionCode,
    ...(named !== undefined && { initialTransaction: named }),
  };
}

/** Whether an element of field 48 can carry a name. */
function isCarried(name: unknown): name is string {
  return (
    typeof name === 'string' && name.length <= ELEMENT_CHARACTERS_MAX && PLAIN_CHARACTERS.test(name)
  );
}

/** `transactionCategory` of what came by post or telephone (Interface 2.3). */
const ORDERS: readonly unknown[] = ['MO', 'TO', 'MOTO'];

function isNested(value: RequestParameters[string] | undefined): value is RequestParameters {
  return typeof value === 'object' && !Array.isArray(value);
}
