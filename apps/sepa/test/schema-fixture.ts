import { readFileSync } from 'node:fs';
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm';

const SCHEMAS = new URL('../../../libs/connectors/test/iso20022/', import.meta.url);

/** What libxml2 says of a document by ISO's own schema; nothing where it is valid. */
export function schemaErrors(message: string, xml: string): readonly string[] {
  const schema = XmlDocument.fromBuffer(readFileSync(new URL(`${message}.xsd`, SCHEMAS)));
  const document = XmlDocument.fromString(xml);
  try {
    XsdValidator.fromDoc(schema).validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    return error.details.map(({ message: text }) => text);
  } finally {
    document.dispose();
    schema.dispose();
  }
}
