import type { Schema } from '../schema.js';

/** Something that a new payment can be made with. */
export interface InstrumentDeclaration {
  /** What the catalogue of parameters calls a new payment that is made with it. */
  readonly request: string;
  /** Whether merchants can pay with it; else the payment is recorded and refused. */
  readonly isServed: boolean;
  /** Interface 2.19 `paymentMethods`. Absent where the data say it, or nobody can tell. */
  readonly paymentMethod?: string;
  /**
   * What commands, events and queries say of it once a payment is made with it; absent where none can
   * be. What the catalogue calls account data is in the vault, and stands here as `vaultReference`.
   */
  readonly paid?: Schema;
  /** The same of a payment that was refused, of which less may be known. */
  readonly refused: Schema;
}
