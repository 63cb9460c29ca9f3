/** The project's own copies of what is cited, by the name of their file. */
export type CitedDocument = 'interface' | 'wire-contract';

/** Where a citation leads. */
export interface Citation {
  readonly document: CitedDocument;
  /** The id of the section, or of a decision of the wire contract. */
  readonly anchor: string;
  /** As people read it: `2.3`, `wire contract 6`. */
  readonly text: string;
}

/** Where the section is that a row's `interface` names: `2.3`, or `wire contract 0, D1`. */
export function citationOf(cited: string): Citation {
  const [, section, decision] = /^wire contract ([0-9]+)(?:, (D[0-9]+))?$/.exec(cited) ?? [];
  return section === undefined
    ? { document: 'interface', anchor: cited, text: cited }
    : { document: 'wire-contract', anchor: decision ?? section, text: cited };
}
