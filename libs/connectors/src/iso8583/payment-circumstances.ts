import type { RequestParameters } from '../connector.js';
import { ELEMENT_CHARACTERS_MAX } from './additional-data.js';

/** How a payment came about, in no version's own words. */
export interface PaymentCircumstances {
  /** The number: typed in by the shopper just now, by the merchant, or kept since an earlier payment. */
  readonly entered: 'byShopper' | 'byMerchant' | 'earlier';
  /** How the shopper, who is never in the shop, ordered. */
  readonly order: 'online' | 'mail' | 'telephone' | 'mailOrTelephone' | 'agreement';
  /** For field 48: by what the acquirer knows the first payment of its agreement. */
  readonly initialTransaction?: string;
}

const PLAIN_CHARACTERS = /^[!-~]+$/;

/**
 * What a host can be told of a standing instruction and of an order by post or telephone
 * (page 0050); undefined where it names its first payment by what no field can carry.
 */
export function circumstancesOf(
  parameters: RequestParameters | undefined,
): PaymentCircumstances | undefined {
  const said = parameters?.['standingInstruction'];
  const { mode, source, initialTransactionId } = isNested(said) ? said : {};
  const byMerchant = source === 'MIT';
  const named = mode === 'INITIAL' ? undefined : initialTransactionId;
  if (named !== undefined && !isCarried(named)) return undefined;
  const order = orderOf(parameters?.['transactionCategory']);
  const isStored = byMerchant || mode === 'REPEATED';
  const typedBy = order === 'online' ? 'byShopper' : 'byMerchant';
  return {
    entered: isStored ? 'earlier' : typedBy,
    order: byMerchant ? 'agreement' : order,
    ...(named !== undefined && { initialTransaction: named }),
  };
}

/** Whether an element of field 48 can carry a name. */
function isCarried(name: unknown): name is string {
  return (
    typeof name === 'string' && name.length <= ELEMENT_CHARACTERS_MAX && PLAIN_CHARACTERS.test(name)
  );
}

/** By `transactionCategory` (Interface 2.3). */
function orderOf(category: unknown): PaymentCircumstances['order'] {
  switch (category) {
    case 'MO':
      return 'mail';
    case 'TO':
      return 'telephone';
    case 'MOTO':
      return 'mailOrTelephone';
    default:
      return 'online';
  }
}

function isNested(value: RequestParameters[string] | undefined): value is RequestParameters {
  return typeof value === 'object' && !Array.isArray(value);
}
