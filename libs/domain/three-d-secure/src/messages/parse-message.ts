import { erroAbout, namesIn } from './erro.js';
import { isObject } from './formats.js';
import type { Message } from './message-kinds.js';
import type { ErroMessage } from './typed-messages.js';

/** A screen of a challenge (300,000), all extensions (81,920) and the rest: only card ranges are longer. */
export const MESSAGE_CHARACTERS_MAX = 400_000;
/** The tables need six; what an extension carries may be nested further. */
const DEPTH_MAX = 20;
/** Enough to tell which. */
const DUPLICATES_MAX = 20;

/** What a text says, or why it says nothing. */
export type Parsed = { readonly value: Message } | { readonly erro: ErroMessage };

/**
 * Reads a text as a message, of which nothing is known then but that it is one object, not too deep,
 * and has no element twice. Whatever the text is, it does not throw.
 */
export function parseMessage(text: string, charactersMax = MESSAGE_CHARACTERS_MAX): Parsed {
  if (text.length > charactersMax) return invalid('the message is too long');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('the message is not JSON');
  }
  if (!isObject(value)) return invalid('the message is not an object');
  const names = namesOf(text);
  if (names === 'tooDeep') return invalid('the message is nested too deep');
  if (names === 'prototype') return invalid('the message has a name that is not taken');
  return names.length > 0
    ? { erro: erroAbout(value, { code: '204', detail: namesIn(names) }) }
    : { value };
}

function invalid(detail: string): Parsed {
  return { erro: erroAbout(undefined, { code: '101', detail }) };
}

const [QUOTE, COLON, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [
  '"',
  ':',
  '\\',
  '{',
  '}',
  '[',
  ']',
].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
/** The four that JSON knows are the only ones up to this one. */
const LAST_SPACE = 0x20;

/**
 * The names that an object of the text has twice. JSON.parse keeps the last of them, so two readers
 * could see two messages in one text. The text is JSON: only what tells names from values is read.
 */
function namesOf(text: string): readonly string[] | 'prototype' | 'tooDeep' {
  const twice: string[] = [];
  const open: Set<string>[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === OPEN || code === OPEN_LIST) {
      if (open.length === DEPTH_MAX) return 'tooDeep';
      open.push(new Set());
    } else if (code === CLOSE || code === CLOSE_LIST) {
      open.pop();
    } else if (code === QUOTE) {
      const end = endOfText(text, index);
      if (isFollowedByColon(text, end)) {
        const name = JSON.parse(text.slice(index, end + 1)) as string;
        if (name === '__proto__') return 'prototype';
        const known = open.at(-1);
        if (known?.has(name) && twice.length < DUPLICATES_MAX) twice.push(name);
        known?.add(name);
      }
      index = end;
    }
  }
  return twice;
}

/** Where the closing quote is. */
function endOfText(text: string, start: number): number {
  let index = start + 1;
  while (text.charCodeAt(index) !== QUOTE) index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
}

function isFollowedByColon(text: string, end: number): boolean {
  let index = end + 1;
  while (text.charCodeAt(index) <= LAST_SPACE) index += 1;
  return text.charCodeAt(index) === COLON;
}
