import type { Kind } from '@sluice/parameters';
import type { Combination } from './combination.js';
import type { SentParameter } from './valid-requests.js';

const SOURCE = 'standingInstruction.source';
const byMerchant: SentParameter = [SOURCE, 'MIT'];
const NO_SHOW: SentParameter = ['standingInstruction.industryPractice', 'NO_SHOW'];
const FIRST = 'standingInstruction.initialTransactionId';
const OF_CARDS = ['payment', 'walletPayment', 'tokenPayment'] as const;
const OF_OTHERS = ['virtualAccountPayment', 'bankAccountPayment', 'giftCardPayment'] as const;

/** What is agreed with the shopper (2.18). */
export function agreements(): Combination[] {
  return [...namesOfFirst(), ...ordersAtBanks()];
}

function namesOfFirst(): Combination[] {
  const asked = (
    kind: Kind,
    more: readonly SentParameter[],
    ...refused: readonly string[]
  ): Combination => ({
    rule: 'what the merchant initiates names the first payment',
    kind,
    // A request without a type of its own is of any type, and a credit names no first payment.
    more: [['paymentType', 'DB'], ...more],
    refused,
  });
  return [
    ...OF_CARDS.flatMap((kind) => [
      asked(kind, [byMerchant], FIRST),
      asked(kind, [byMerchant, [FIRST, '484301795628194']]),
      asked(kind, [byMerchant, ['standingInstruction.agreementId', 'AGREEMENT-2026-0042']]),
      asked(kind, [NO_SHOW], FIRST),
      asked(kind, [['standingInstruction.mode', 'REPEATED'], NO_SHOW], FIRST),
      asked(kind, [NO_SHOW, [FIRST, '484301795628194']]),
      asked(kind, [[SOURCE, 'CIT']]),
      asked(kind, [byMerchant, ['paymentType', 'CD']]),
    ]),
    ...OF_OTHERS.map((kind) => asked(kind, [byMerchant])),
  ];
}

/** They are refused with a code of their own, which no address would mend. */
function ordersAtBanks(): Combination[] {
  return ['GIROPAY', 'IDEAL'].map((paymentBrand) => ({
    rule: 'an order at a bank that the merchant initiates needs no address to be refused',
    kind: 'bankAccountPayment',
    more: [['paymentType', 'DB'], ['paymentBrand', paymentBrand], byMerchant],
    drop: ['bankAccount.holder', 'bankAccount.iban', 'bankAccount.bic'],
    refused: [],
  }));
}
