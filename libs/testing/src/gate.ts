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

/** Looks again in each turn of the event loop; jest's own limit ends what never comes. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}
