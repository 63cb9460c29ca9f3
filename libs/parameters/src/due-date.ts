import { isDayOver } from '@sluice/contracts';
import { codes, describeResult } from '@sluice/result-codes';
import type { Form } from './form.js';
import type { Rejection } from './rejection.js';

/** Interface 2.7: the day on which a bank collects. */
export const DUE_DATE = 'transactionDueDate';

/**
 * Why neither a payment nor its capture can be due on the day that its request says. A bank would collect on its next day, which is none that the merchant has told the shopper.
 */
export function dueDateRejection(form: Form, nowMs: number): Rejection | undefined {
  const day = form.get(DUE_DATE);
  if (day === undefined || !isDayOver(day, nowMs)) return undefined;
  const code = codes.dueDateInvalid;
  return { code, description: `${describeResult(code)} - ${DUE_DATE} ${day} is over` };
}
