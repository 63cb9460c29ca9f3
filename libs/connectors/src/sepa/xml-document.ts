import { SaxesParser, type SaxesTagNS } from 'saxes';

/** An element of a bank's file; what has another namespace than the file is left out. */
export interface XmlElement {
  readonly name: string;
  /** Of an element with elements it is what stands between them. */
  readonly text: string;
  /** The attribute `Ccy`, the only one that is read. */
  readonly currency?: string;
  readonly children: readonly XmlElement[];
}

/** Why some bytes are no document. */
export type XmlRefusal =
  | 'tooLarge'
  | 'notUtf8'
  /** Not well-formed; an entity that XML itself does not define is that too. */
  | 'malformed'
  /** A document type: where entities are defined, and other files are named. */
  | 'documentType'
  | 'tooDeep'
  | 'tooManyElements';

/** What `readXml` answers. */
export type XmlDocument =
  | { readonly kind: 'document'; readonly namespace: string; readonly root: XmlElement }
  | { readonly kind: 'refused'; readonly reason: XmlRefusal };

/**
 * 16 MiB. A transaction of a statement takes one to two thousand bytes, so this is a day of ten
 * thousand; banks split longer ones. A file is read in one go, in memory of twenty times its size.
 */
export const FILE_BYTES_MAX = 16_777_216;
/** Of such a file, with as little text in its elements as a bank writes. */
export const ELEMENTS_MAX = 500_000;
/** The schemas nest a little over twenty deep, without what banks may add in namespaces of theirs. */
export const DEPTH_MAX = 40;

interface OpenElement {
  readonly name: string;
  text: string;
  readonly currency?: string;
  readonly children: XmlElement[];
}

class Refusal extends Error {
  constructor(readonly reason: XmlRefusal) {
    super(reason);
  }
}

/**
 * Reads a document that somebody else has written. Nothing of it is ever expanded or fetched: its
 * parser knows the five entities of XML alone, and a document type ends the reading.
 */
export function readXml(bytes: Uint8Array): XmlDocument {
  if (bytes.byteLength > FILE_BYTES_MAX) return { kind: 'refused', reason: 'tooLarge' };
  try {
    return parsed(decoded(bytes));
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.reason };
    throw error;
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('notUtf8');
  }
}

function parsed(text: string): XmlDocument {
  const tree = new Tree();
  // Positions would say where in a refused file to look, and cost a fifth of the time.
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', () => refuse('malformed'));
  parser.on('doctype', () => refuse('documentType'));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && encoding.toUpperCase() !== 'UTF-8') refuse('notUtf8');
  });
  parser.on('opentag', (tag) => {
    tree.open(tag);
  });
  parser.on('closetag', () => {
    tree.close();
  });
  parser.on('text', (part) => {
    tree.add(part);
  });
  parser.on('cdata', (part) => {
    tree.add(part);
  });
  parser.write(text).close();
  return tree.document();
}

/** The document as far as it has been read. */
class Tree {
  private readonly openElements: OpenElement[] = [];
  private namespace: string | undefined;
  private root: XmlElement | undefined;
  private elements = 0;
  /** How many elements of other namespaces are open: nothing within them is read. */
  private foreign = 0;

  open(tag: SaxesTagNS): void {
    this.elements += 1;
    if (this.elements > ELEMENTS_MAX) refuse('tooManyElements');
    if (this.openElements.length + this.foreign >= DEPTH_MAX) refuse('tooDeep');
    this.namespace ??= tag.uri;
    if (this.foreign > 0 || tag.uri !== this.namespace) {
      this.foreign += 1;
      return;
    }
    const currency = tag.attributes['Ccy']?.value;
    this.openElements.push({
      name: tag.local,
      text: '',
      children: [],
      ...(currency !== undefined && { currency }),
    });
  }

  close(): void {
    if (this.foreign > 0) {
      this.foreign -= 1;
      return;
    }
    const element = this.openElements.pop();
    if (element === undefined) throw new Error('an element was closed that was never opened');
    const parent = this.openElements.at(-1);
    if (parent === undefined) this.root = element;
    else parent.children.push(element);
  }

  add(part: string): void {
    const element = this.openElements.at(-1);
    if (element !== undefined && this.foreign === 0) element.text += part;
  }

  document(): XmlDocument {
    // Without a root the parser itself has refused.
    if (this.root === undefined || this.namespace === undefined) return refuse('malformed');
    return { kind: 'document', namespace: this.namespace, root: this.root };
  }
}

function refuse(reason: XmlRefusal): never {
  throw new Refusal(reason);
}
