import { isObservable, lastValueFrom } from 'rxjs';

/** The value of an answer, as the other side sees it. */
export function decodeResult(text: string): unknown {
  return (JSON.parse(text) as { readonly value?: unknown }).value;
}

/** A handler's value as JSON text; in an object, because no value at all is an answer too. */
export function encodeResult(value: unknown): string {
  return JSON.stringify({ value });
}

/** A handler's result; Nest turns what it throws, and what filters make of it, into a stream. */
export async function settled(result: Promise<unknown>): Promise<unknown> {
  const value = await result;
  return isObservable(value) ? lastValueFrom(value, { defaultValue: undefined }) : value;
}
