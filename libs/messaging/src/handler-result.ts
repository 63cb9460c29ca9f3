import { isObservable, lastValueFrom } from 'rxjs';

/** Decodes the value of an answer. */
export function decodeResult(text: string): unknown {
  return (JSON.parse(text) as { readonly value?: unknown }).value;
}

/** A handler's value as JSON text; wrapped in an object, because `undefined` is an answer too. */
export function encodeResult(value: unknown): string {
  return JSON.stringify({ value });
}

/**
 * A handler's result. What a handler throws, and what filters make of it, comes from Nest as a
 * stream.
 */
export async function settled(result: Promise<unknown>): Promise<unknown> {
  const value = await result;
  return isObservable(value) ? lastValueFrom(value, { defaultValue: undefined }) : value;
}
