/** How long a field is: as long as its row says, or preceded by its length in two or three digits. */
export type FieldLength = 'fixed' | 'llvar' | 'lllvar';

/** What it holds: digits; a sign and digits; characters; bytes, which a message has as hex digits. */
export type FieldContent = 'n' | 'x+n' | 'ans' | 'b';

/** A field of a version: number, name, kind of length, its (largest) length, content. */
export type FieldRow = readonly [
  number: number,
  name: string,
  kind: FieldLength,
  length: number,
  content: FieldContent,
];
