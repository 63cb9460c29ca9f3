import type { ParameterError } from '@sluice/parameters';
import { describeResult } from '@sluice/result-codes';

/** The `result` of every body; `description` always has a value, typed clients demand it. */
export function resultOf(
  code: string,
  description?: string,
  parameterErrors?: readonly ParameterError[],
): object {
  return {
    code,
    description: description ?? describeResult(code),
    ...(parameterErrors && parameterErrors.length > 0 && { parameterErrors }),
  };
}
