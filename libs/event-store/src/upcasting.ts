/** Lifts the data of an event by one schema version. */
export type Upcaster = (data: unknown) => unknown;

/**
 * By event type, the steps from version 1 to 2, 2 to 3, and so on. A type without steps is still at
 * version 1. Steps are never removed, because streams are not.
 */
export type UpcasterLadders = Readonly<Record<string, readonly Upcaster[]>>;

/** Thrown for an event of a schema version this release does not know: a newer one wrote it. */
export class NewerWriter extends Error {
  override readonly name = 'NewerWriter';

  constructor(type: string, schemaVersion: number) {
    super(`A newer release wrote ${type} in schema version ${schemaVersion} (D-18).`);
  }
}

/** Event data in today's shape. @throws NewerWriter */
export function upcast(
  ladders: UpcasterLadders,
  type: string,
  schemaVersion: number,
  data: unknown,
): { readonly schemaVersion: number; readonly data: unknown } {
  const steps = Object.hasOwn(ladders, type) ? (ladders[type] ?? []) : [];
  if (schemaVersion > steps.length + 1) throw new NewerWriter(type, schemaVersion);
  const todays = steps.slice(schemaVersion - 1).reduce((shape, step) => step(shape), data);
  return { schemaVersion: steps.length + 1, data: todays };
}
