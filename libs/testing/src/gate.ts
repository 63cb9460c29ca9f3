/** Something a test waits for, or lets others wait for. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** A closed one. */
export function newGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Everything that is ready now happens before this resolves. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Longer than any test may take; a loop that goes on would keep the process from ending. */
const UNTIL_MAX_MS = 60_000;

/** Looks again in each turn of the event loop; jest's own limit fails the test before this one. */
export async function until(isSo: () => boolean): Promise<void> {
  const giveUpAtMs = performance.now() + UNTIL_MAX_MS;
  while (!isSo()) {
    if (performance.now() > giveUpAtMs) throw new Error('what the test waits for did not come');
    await nextTurn();
  }
}
