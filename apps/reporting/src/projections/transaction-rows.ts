import type { TransactionRow } from './transactions.projection.js';

/** What a row has of columns that its projection does not speak of. */
export const unsaid = {
  ...{ paymentMethod: null, resultDescription: null, amountMinor: null, currency: null },
  ...{ source: null, connectorTxId: null, instrument: null, resultDetails: null },
  ...{ avsResponse: null, cvvResponse: null, riskScore: null, authentication: null },
  personal: null,
} as const satisfies Partial<TransactionRow>;

/** The row that an event follows. @throws TypeError if nothing has begun it */
export function existing(row: TransactionRow | undefined): TransactionRow {
  if (row === undefined) throw new TypeError('Nothing was begun that this could follow.');
  return row;
}

/** The metadata of an event that begins a row. @throws TypeError if whoever feeds it has left them out */
export function metadataOf<Metadata>({
  metadata,
}: {
  readonly metadata?: Metadata | undefined;
}): Metadata {
  if (metadata === undefined) throw new TypeError('The metadata of a beginning is missing.');
  return metadata;
}
