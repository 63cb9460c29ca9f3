/** What is logged about a finished request: nothing from its body or query (S-PCI-04). */
export interface RequestDone {
  readonly method: string;
  /** Without query, masked and cut, because it is whatever the caller typed. */
  readonly path: string;
  readonly status: number;
  readonly resultCode: string;
  readonly durationMs: number;
  readonly ndc: string;
  /** The transaction that was answered about; `sluice streams show` draws its payment. */
  readonly transactionId?: string;
}

/** Called once per request, after its answer was handed to the connection. */
export type OnRequestDone = (request: RequestDone) => void;
