import { currency } from '@sluice/money';
import { Detail } from '@sluice/secrets';
import type { CreditTransferBatch, CreditTransferFile } from './credit-transfer-file.js';
import type { DirectDebit, DirectDebitBatch, DirectDebitFile } from './direct-debit-file.js';
import type { SepaParty } from './party-elements.js';

/*
 * The accounts and the creditor are those that banks' own documents have as examples.
 */

export const merchant: SepaParty = {
  name: 'Bäckerei Øst & Söhne',
  iban: new Detail('DE89 3704 0044 0532 0130 00'),
  bic: 'COBADEFFXXX',
};

export const shopper: SepaParty = {
  name: 'Ελένη Θεοδώρου',
  iban: new Detail('NL91ABNA0417164300'),
};

/** Outside of the EEA, where a bank is named and an address given. */
export const swissShopper: SepaParty = {
  name: 'Jürg Hürlimann',
  iban: new Detail('CH9300762011623852957'),
  bic: 'POFICHBEXXX',
  address: {
    street: 'Rue de l’Hôpital',
    buildingNumber: '12',
    postcode: '1000',
    city: 'Lausanne',
    country: 'CH',
  },
};

export function euros(minor: bigint): DirectDebit['amount'] {
  return { minor, currency: currency('EUR') };
}

export const debit: DirectDebit = {
  endToEndId: '8ac7a4a19ab80ce5019ab8e5a36a0001',
  amount: euros(9_200n),
  mandate: { id: 'MANDATE-1', signedOn: '2025-02-28' },
  debtor: shopper,
  remittance: 'Order 4711: 3 × “Größe L”',
};

export const debitBatch: DirectDebitBatch = {
  id: 'BATCH-1',
  creditor: merchant,
  creditorId: 'DE98ZZZ09999999999',
  sequence: 'FRST',
  collectionDate: '2026-11-26',
  debits: [debit],
};

export const debitFile: DirectDebitFile = {
  messageId: 'SLUICE-2026-11-24-1',
  createdAt: '2026-11-24T10:00:00Z',
  initiatingParty: 'Sluice',
  batches: [debitBatch],
};

export const transferBatch: CreditTransferBatch = {
  id: 'BATCH-2',
  debtor: merchant,
  executionDate: '2026-11-24',
  isBookedAsOne: false,
  transfers: [
    { endToEndId: 'E2E-1', amount: euros(1n), creditor: shopper },
    { endToEndId: 'E2E-2', amount: euros(123_456n), creditor: swissShopper, remittance: 'Refund' },
  ],
};

export const transferFile: CreditTransferFile = {
  messageId: 'SLUICE-2026-11-24-2',
  createdAt: '2026-11-24T10:00:00Z',
  initiatingParty: 'Sluice',
  batches: [transferBatch],
};
