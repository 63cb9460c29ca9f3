import { readFileSync } from 'node:fs';
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm';

const SCHEMAS = new URL('../../test/iso20022/', import.meta.url);

/** The messages whose published schemas are committed. */
export type MessageName =
  'camt.053.001.08' | 'camt.054.001.08' | 'pain.001.001.09' | 'pain.002.001.10' | 'pain.008.001.08';

const validators = new Map<MessageName, XsdValidator>();

/** What libxml2 says of a document by ISO's own schema; nothing where it is valid. */
export function schemaErrors(message: MessageName, xml: string): readonly string[] {
  const document = XmlDocument.fromString(xml);
  try {
    validatorOf(message).validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    return error.details.map(({ message: text }) => text);
  } finally {
    document.dispose();
  }
}

function validatorOf(message: MessageName): XsdValidator {
  const known = validators.get(message);
  if (known !== undefined) return known;
  const schema = XmlDocument.fromBuffer(readFileSync(new URL(`${message}.xsd`, SCHEMAS)));
  const validator = XsdValidator.fromDoc(schema);
  validators.set(message, validator);
  return validator;
}
