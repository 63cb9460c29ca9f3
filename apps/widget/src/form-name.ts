const BYTES = 12;
const HEX = 16;

/** A name for one form, by which its frames find each other; no secret. Shops of tests may be without TLS. */
export function newFormName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(HEX).padStart(2, '0')).join('');
}

/** The id of the form itself, by which its button says which form it sends. */
export function formId(name: string): string {
  return `wpwl-form-${name}`;
}
