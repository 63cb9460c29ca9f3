/**
 * The same promise; `say` is told once if it is still pending after so many milliseconds. For steps
 * that nothing limits, because giving one up would do more harm than waiting: so an operator sees
 * where something waits.
 */
export function sayingWhenLate<Result>(
  step: Promise<Result>,
  afterMs: number,
  say: () => void,
): Promise<Result> {
  const timer = setTimeout(say, afterMs).unref();
  return step.finally(() => clearTimeout(timer));
}
