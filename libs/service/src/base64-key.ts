const KEY_BYTES = 32;
/** Base64 of 32 bytes has 44 characters. */
const KEY_TEXT = /^[A-Za-z0-9+/]{43}=$/;

/** Reads a key of 32 bytes from base64, for `@Variable`; throws what the text must be. */
export function base64Key(text: string): Buffer {
  if (!KEY_TEXT.test(text)) throw new Error(`must be ${KEY_BYTES} bytes in base64`);
  return Buffer.from(text, 'base64');
}
