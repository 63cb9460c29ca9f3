/** A JSON value that knows on which line of the text it stands. */
export type LocatedValue =
  | { readonly kind: 'object'; readonly line: number; readonly members: readonly LocatedMember[] }
  | { readonly kind: 'array'; readonly line: number; readonly items: readonly LocatedValue[] }
  | { readonly kind: 'string'; readonly line: number; readonly text: string }
  | { readonly kind: 'boolean'; readonly line: number; readonly isTrue: boolean }
  | { readonly kind: 'number'; readonly line: number; readonly number: number }
  | { readonly kind: 'other'; readonly line: number };

/** One member of an object; `line` is that of its name. */
export interface LocatedMember {
  readonly name: string;
  readonly line: number;
  readonly value: LocatedValue;
}

/** Thrown for text that is not JSON; `line` counts from 1. */
export class JsonSyntaxError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
    this.name = 'JsonSyntaxError';
  }
}

/** Deeper than any file that we read; limits the recursion. */
const DEPTH_MAX = 16;

const SPACE = /[ \t\r\n]/y;
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/y;
const WORD = /(?:true|false|null)/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

interface Cursor {
  readonly text: string;
  at: number;
  line: number;
}

/**
 * Reads JSON and keeps the line of every value, so that a mistake in a hand-written file can be
 * reported with its line even if the JSON is well formed; `JSON.parse` does not keep it. Null is
 * recognized and has no other use.
 *
 * @throws JsonSyntaxError
 */
export function parseLocatedJson(text: string): LocatedValue {
  const cursor: Cursor = { text, at: 0, line: 1 };
  const value = readValue(cursor, 0);
  skipSpace(cursor);
  if (cursor.at < text.length) {
    throw unexpected(cursor, 'the end of the file');
  }
  return value;
}

function readValue(cursor: Cursor, depth: number): LocatedValue {
  skipSpace(cursor);
  const { line } = cursor;
  if (depth > DEPTH_MAX) {
    throw new JsonSyntaxError(line, `nested deeper than ${DEPTH_MAX} levels`);
  }
  switch (cursor.text[cursor.at]) {
    case '{':
      return { kind: 'object', line, members: readMembers(cursor, depth) };
    case '[':
      return { kind: 'array', line, items: readItems(cursor, depth) };
    case '"':
      return { kind: 'string', line, text: readString(cursor) };
    default:
      return readWord(cursor, line);
  }
}

function readWord(cursor: Cursor, line: number): LocatedValue {
  const word = take(cursor, WORD);
  if (word === 'true' || word === 'false')
    return { kind: 'boolean', line, isTrue: word === 'true' };
  if (word !== undefined) return { kind: 'other', line };
  const number = take(cursor, NUMBER);
  if (number === undefined) throw unexpected(cursor, 'a value');
  return { kind: 'number', line, number: JSON.parse(number) as number };
}

function readMembers(cursor: Cursor, depth: number): LocatedMember[] {
  const members: LocatedMember[] = [];
  readSequence(cursor, '}', () => {
    skipSpace(cursor);
    const { line } = cursor;
    const name = readString(cursor);
    if (members.some((member) => member.name === name)) {
      throw new JsonSyntaxError(line, `"${name}" is given twice`);
    }
    skipSpace(cursor);
    expect(cursor, ':');
    members.push({ name, line, value: readValue(cursor, depth + 1) });
  });
  return members;
}

function readItems(cursor: Cursor, depth: number): LocatedValue[] {
  const items: LocatedValue[] = [];
  readSequence(cursor, ']', () => items.push(readValue(cursor, depth + 1)));
  return items;
}

/** Reads `readOne` separated by commas, from after the opening to after the closing character. */
function readSequence(cursor: Cursor, closing: '}' | ']', readOne: () => void): void {
  cursor.at += 1;
  skipSpace(cursor);
  if (cursor.text[cursor.at] === closing) {
    cursor.at += 1;
    return;
  }
  for (;;) {
    readOne();
    skipSpace(cursor);
    if (cursor.text[cursor.at] === closing) {
      cursor.at += 1;
      return;
    }
    expect(cursor, ',', `a comma or ${closing}`);
  }
}

function readString(cursor: Cursor): string {
  const quoted = take(cursor, STRING);
  if (quoted === undefined) {
    throw unexpected(cursor, 'a text in double quotes');
  }
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new JsonSyntaxError(cursor.line, 'a text holds a control character or a wrong escape');
  }
}

function skipSpace(cursor: Cursor): void {
  for (let character = take(cursor, SPACE); character; character = take(cursor, SPACE)) {
    if (character === '\n') {
      cursor.line += 1;
    }
  }
}

function expect(cursor: Cursor, character: string, wanted = character): void {
  if (cursor.text[cursor.at] !== character) {
    throw unexpected(cursor, wanted);
  }
  cursor.at += 1;
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const taken = pattern.exec(cursor.text)?.[0];
  cursor.at += taken?.length ?? 0;
  return taken;
}

function unexpected(cursor: Cursor, wanted: string): JsonSyntaxError {
  const found = cursor.text[cursor.at];
  const what = found === undefined ? 'the end of the file' : JSON.stringify(found);
  return new JsonSyntaxError(cursor.line, `expected ${wanted}, found ${what}`);
}
