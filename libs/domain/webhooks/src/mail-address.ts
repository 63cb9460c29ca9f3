/** As long as the interface lets an address be (Interface 2.9). */
export const MAIL_ADDRESS_CHARACTERS_MAX = 128;
/** Of what stands before the `@` (RFC 5321, 4.5.3.1.1). */
const LOCAL_CHARACTERS_MAX = 64;

/**
 * What a browser's own field takes for an address, with a domain of two labels or more: no comments, no quotes, no
 * blanks, no list. What is not in here cannot end the header that it stands in, nor name a second recipient.
 */
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** One address for mails, as it is kept: the same address twice is the same text. Undefined: it is none. */
export function mailAddressOf(text: string): string | undefined {
  if (text.length > MAIL_ADDRESS_CHARACTERS_MAX) return undefined;
  const [local = '', domain = '', ...more] = text.split('@');
  if (more.length > 0 || local.length > LOCAL_CHARACTERS_MAX) return undefined;
  const labels = domain.split('.');
  const isDomain = labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isDomain && LOCAL_PART.test(local) ? `${local}@${domain.toLowerCase()}` : undefined;
}
