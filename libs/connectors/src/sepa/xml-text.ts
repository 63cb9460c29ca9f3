/*
 * XML as it is written: names and structure are ours and fixed, so what is left is to escape texts.
 * The schemas are the proof; every kind of file is validated against its own in the specs.
 */

/** An element that is written already. */
export type XmlText = string & { readonly xml: true };

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SPECIAL = /[&<>"]/gu;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** An element with a text, and one with a currency beside it. */
export function leaf(name: string, text: string, currency?: string): XmlText {
  const attribute = currency === undefined ? '' : ` Ccy="${escaped(currency)}"`;
  return `<${name}${attribute}>${escaped(text)}</${name}>` as XmlText;
}

/** An element with elements; those that are undefined are left out. */
export function branch(name: string, ...children: readonly (XmlText | undefined)[]): XmlText {
  return `<${name}>${children.filter((child) => child !== undefined).join('')}</${name}>` as XmlText;
}

/** A whole file: the message in its namespace. */
export function documentOf(namespace: string, message: XmlText): string {
  return `${DECLARATION}<Document xmlns="${escaped(namespace)}">${message}</Document>\n`;
}

function escaped(text: string): string {
  return text.replace(SPECIAL, (sign) => escapes[sign] ?? sign);
}
