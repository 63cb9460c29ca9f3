import { type AccountReport, accountReportIn } from './account-report.js';
import { FileElement, type FieldRefusal, UnreadableField } from './file-element.js';
import { type StatusReport, statusReportIn } from './status-report.js';
import { readXml, type XmlElement, type XmlRefusal } from './xml-document.js';

/** What a bank has sent, or why it is not read. A file is read whole or not at all. */
export type BankFile =
  | { readonly kind: 'statusReport'; readonly report: StatusReport }
  | { readonly kind: 'statements' | 'notifications'; readonly reports: readonly AccountReport[] }
  | {
      readonly kind: 'refused';
      readonly reason: XmlRefusal | FieldRefusal | 'unknownMessage';
      /** The element that could not be read, and never what stands in it. */
      readonly at?: string;
      /** The message that is not read here: `camt.053.001.02`. */
      readonly message?: string;
    };

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:';
const MESSAGE = /^urn:iso:std:iso:20022:tech:xsd:([a-z]{4}\.[0-9]{3}\.[0-9]{3}\.[0-9]{2})$/u;

type Reader = (document: FileElement) => BankFile;

/** The messages that are read, and how; each version is a schema of its own. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    `${NAMESPACE}pain.002.001.10`,
    (document) => ({
      kind: 'statusReport',
      report: statusReportIn(document.needed('CstmrPmtStsRpt')),
    }),
  ],
  [
    `${NAMESPACE}camt.053.001.08`,
    (document) => ({
      kind: 'statements',
      reports: document.needed('BkToCstmrStmt').all('Stmt').map(accountReportIn),
    }),
  ],
  [
    `${NAMESPACE}camt.054.001.08`,
    (document) => ({
      kind: 'notifications',
      reports: document.needed('BkToCstmrDbtCdtNtfctn').all('Ntfctn').map(accountReportIn),
    }),
  ],
]);

/**
 * Reads a file of a bank: a status report (pain.002.001.10), statements (camt.053.001.08) or
 * notifications (camt.054.001.08). It takes about two seconds for ten megabytes, in one go, so a
 * process that answers requests has to read files in another thread.
 */
export function readBankFile(bytes: Uint8Array): BankFile {
  const document = readXml(bytes);
  if (document.kind === 'refused') return document;
  const read = readers.get(document.namespace);
  if (read === undefined || document.root.name !== 'Document') {
    const message = MESSAGE.exec(document.namespace)?.[1];
    return { kind: 'refused', reason: 'unknownMessage', ...(message !== undefined && { message }) };
  }
  return readFields(document.root, read);
}

function readFields(root: XmlElement, read: Reader): BankFile {
  try {
    return read(new FileElement(root));
  } catch (error) {
    if (!(error instanceof UnreadableField)) throw error;
    return { kind: 'refused', reason: error.reason, at: error.at };
  }
}
