import type { CardToHold, RevealedCard } from '@sluice/contracts';
import { AccountNumber, Cryptogram, Cvv, Pan } from '@sluice/secrets';

/** Where the vault answers (D-44); cards stand in bodies only. */
export const cardPaths = {
  hold: '/cards/hold',
  reveal: '/cards/reveal',
  forget: '/cards/forget',
} as const;

/** A card on its way to or from the vault: a request to hold it, or the answer to revealing it. */
export interface CardRequest {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly holder?: string;
  readonly cvv?: string;
  readonly senderAccount?: string;
  readonly recipientAccount?: string;
  readonly cryptogram?: string;
}

/**
 * A card in clear, for the body of one message between the vault and one that may see it: the only
 * place outside of the vault and the connectors where a card leaves its type.
 */
export function shownCard(card: CardToHold | RevealedCard): CardRequest {
  const { number, cvv, expiryMonth, expiryYear, holder } = card;
  const { senderAccount, recipientAccount, cryptogram } = card;
  return {
    number: number.reveal(),
    expiryMonth,
    expiryYear,
    ...(holder !== undefined && { holder }),
    ...(cvv !== undefined && { cvv: cvv.reveal() }),
    ...(senderAccount !== undefined && { senderAccount: senderAccount.reveal() }),
    ...(recipientAccount !== undefined && { recipientAccount: recipientAccount.reveal() }),
    ...(cryptogram !== undefined && { cryptogram: cryptogram.reveal() }),
  };
}

/** The card of a message, or undefined when it is none. */
export function readCardRequest(message: unknown): CardToHold | undefined {
  const card = (message ?? {}) as Partial<Record<keyof CardRequest, unknown>>;
  const { number, cvv, expiryMonth, expiryYear, holder } = card;
  const { senderAccount, recipientAccount, cryptogram } = card;
  if (!isText(number) || !isText(expiryMonth) || !isText(expiryYear)) return undefined;
  if (!isTextOrAbsent(cvv) || !isTextOrAbsent(holder)) return undefined;
  if (!isTextOrAbsent(senderAccount) || !isTextOrAbsent(recipientAccount)) return undefined;
  if (!isTextOrAbsent(cryptogram)) return undefined;
  return {
    number: new Pan(number),
    expiryMonth,
    expiryYear,
    ...(holder !== undefined && { holder }),
    ...(cvv !== undefined && { cvv: new Cvv(cvv) }),
    ...(senderAccount !== undefined && { senderAccount: new AccountNumber(senderAccount) }),
    ...(recipientAccount !== undefined && {
      recipientAccount: new AccountNumber(recipientAccount),
    }),
    ...(cryptogram !== undefined && { cryptogram: new Cryptogram(cryptogram) }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}
