/** By which shops let a shopper choose installments, in an input of their own (wire contract 10). */
const INSTALLMENTS = 'recurring.numberOfInstallments';
const AT_ONCE = '1';

/** Whether the shopper has chosen to pay in installments, which the gateway refuses. */
export function asksForInstallments(inputs: Iterable<readonly [string, unknown]>): boolean {
  return [...inputs].some(
    ([name, value]) => name === INSTALLMENTS && value !== '' && value !== AT_ONCE,
  );
}
