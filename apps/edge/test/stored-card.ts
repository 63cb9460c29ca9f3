import type { TransactionId } from '@sluice/identifiers';
import type { Parameters } from './http-client.js';
import { entityId } from './scripted-edge.js';

/** The registration that scripted answers are of. */
export const ID = '019b7d5f2c3a77c5bdcadf51af2041ca' as TransactionId;

/** A card to store, as a merchant sends it to `POST /v1/registrations`. */
export const card: Parameters = {
  ...{ entityId, paymentBrand: 'VISA', 'card.number': '4200000000000000' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};

/** A debit by registration needs no more than this. */
export const money = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;
