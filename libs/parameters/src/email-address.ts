import { domainToASCII } from 'node:url';

/** An address that was copied with its quotation marks, or out of a link. */
const IN_LINK = /^mailto:/i;
const IN_QUOTES = /^"(.*)"$|^'(.*)'$/su;
/** A name before the address, as in `Jane Jones <jane@shop.example>`. */
const IN_BRACKETS = /^[^<>]*<([^<>]*)>[\s,;.]*$/u;
/** What stands around an address in a list of them, and the dot after a sentence. */
const AROUND = /^[\s,;]+|(?<![\s,;.])[\s,;.]+$/gu;
/** A local part in quotation marks; within them a backslash makes the next character one of the text. */
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/su;
/** What is remarked of an address (RFC 5322, 3.2.2): mail arrives at the same place without it. */
const COMMENTS = /\([^()]*\)/gu;
/** Characters that say nothing: of format, as the soft hyphen, and of control. */
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu;
/** What no name of a host has, so that nothing but a name is given to whoever reads URLs. */
const NO_DOMAIN = /[\s/\\?#%@:<>^|"'(),;[\]]/u;
const FINAL_DOTS = /(?<!\.)\.+$/;

/**
 * A domain in the one spelling in which it is compared: small letters, and letters of other scripts as the
 * Internet writes them (`xn--bcher-kva.example`). Undefined for what is none.
 */
export function canonicalDomain(text: string): string | undefined {
  const plain = plainText(text);
  if (plain === '' || NO_DOMAIN.test(plain)) return undefined;
  const domain = domainToASCII(plain).replace(FINAL_DOTS, '');
  return domain === '' ? undefined : domain;
}

/**
 * An e-mail address in the one spelling in which it is compared: without the name beside it, quotation marks
 * that it does not need, and what stands around it, in small letters; its domain as `canonicalDomain` has it.
 * Undefined for what is none.
 */
export function canonicalEmail(text: string): string | undefined {
  const copied = plainText(text).replace(IN_LINK, '');
  const [, inDouble, inSingle] = IN_QUOTES.exec(copied) ?? [];
  const plain = inDouble ?? inSingle ?? copied;
  const address = (IN_BRACKETS.exec(plain)?.[1] ?? plain).replace(AROUND, '');
  const at = address.lastIndexOf('@');
  const local = localPart(address.slice(0, Math.max(at, 0)));
  const domain = canonicalDomain(address.slice(at + 1).replace(COMMENTS, ''));
  return local === '' || domain === undefined ? undefined : `${local}@${domain}`;
}

/** Without quotation marks it has neither blanks nor another at sign. */
function localPart(text: string): string {
  const quoted = QUOTED.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/gsu, '$1').toLowerCase();
  const local = text.replace(COMMENTS, '').trim();
  return /[\s@"]/u.test(local) ? '' : local.toLowerCase();
}

/** Full-width letters and the like as what they are (NFKC). */
function plainText(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '').trim();
}
