/** One entry of `result.parameterErrors` (wire contract D12). */
export interface ParameterError {
  /** The parameter as it was sent; `body` when no single one is at fault. */
  readonly name: string;
  /** What was sent; left out for personal data, account data, secrets and unknown names. */
  readonly value?: string;
  readonly message: string;
}
