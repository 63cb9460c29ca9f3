import type { Schema } from '../schema.js';

/** Something that a new payment can be made with. */
export interface InstrumentDeclaration {
  /** The name that the catalogue of parameters has for a new payment with it. */
  readonly request: string;
  /** Whether payments with it are served; otherwise they are recorded and refused. */
  readonly isServed: boolean;
  /** Interface 2.19 `paymentMethods`. Absent if the data say it, or if it is unknown. */
  readonly paymentMethod?: string;
  /** All that its data can say, where they do. */
  readonly paymentMethods?: readonly string[];
  /**
   * Its data in commands, events and queries once a payment is made with it; absent if no payment
   * can be. What the catalogue calls account data is in the vault, and `vaultReference` refers to
   * it.
   */
  readonly paid?: Schema;
  /** The same of a payment that was refused, of which less may be known. */
  readonly refused: Schema;
}
