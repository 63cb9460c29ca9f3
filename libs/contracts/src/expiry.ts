/** When an instrument expires, as it is written on it. */
export interface Expiry {
  /** `01` to `12`. */
  readonly month: string;
  readonly year: string;
}
