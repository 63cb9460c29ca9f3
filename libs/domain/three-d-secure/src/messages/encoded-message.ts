import { erroAbout } from './erro.js';
import { elementOf, isObject, transactionId } from './formats.js';
import { type Message, messageVersions } from './message-kinds.js';
import { MESSAGE_CHARACTERS_MAX, type Parsed, parseMessage } from './parse-message.js';

/** Four characters carry three bytes, and a character of a message may be four bytes of UTF-8. */
const ENCODED_PER_CHARACTER = (4 * 4) / 3;
/** Two addresses and an id. */
const METHOD_DATA_CHARACTERS_MAX = 8_192;
/** EMV has no padding (RFC 4648); some issuers pad all the same. */
const PADDED = /^([0-9A-Za-z_-]+)={0,2}$/u;

/** A message as browsers carry it: base64url of its JSON, without padding. */
export function encodeMessage(message: Message): string {
  return encoded(new TextEncoder().encode(JSON.stringify(message)));
}

/** Reads what a browser brought (`creq`, `cres`). Whatever it is, it does not throw. */
export function decodeMessage(text: string, charactersMax = MESSAGE_CHARACTERS_MAX): Parsed {
  const json = decoded(text, Math.ceil(charactersMax * ENCODED_PER_CHARACTER));
  const detail = 'the message is not base64url of UTF-8';
  return json === undefined
    ? { erro: erroAbout(undefined, { code: '101', detail }) }
    : parseMessage(json, charactersMax);
}

/** `threeDSMethodData` for the page of the 3DS method. */
export function encodeMethodData(serverTransactionId: string, notificationUrl: string): string {
  return encodeMessage({
    threeDSServerTransID: serverTransactionId,
    threeDSMethodNotificationURL: notificationUrl,
  });
}

/** The transaction whose 3DS method is done, from `threeDSMethodData` as a browser brought it. */
export function decodeMethodData(text: string): string | undefined {
  const json = decoded(text, METHOD_DATA_CHARACTERS_MAX);
  const parsed = json === undefined ? undefined : parseMessage(json);
  if (parsed === undefined || !('value' in parsed) || !isObject(parsed.value)) return undefined;
  const id = elementOf(parsed.value, 'threeDSServerTransID');
  const isId =
    typeof id === 'string' && transactionId.faultsIn(id, '', messageVersions[0]).length === 0;
  return isId ? id : undefined;
}

/** The text, if it is written in the one way that it can be. */
function decoded(text: string, charactersMax: number): string | undefined {
  if (text.length > charactersMax) return undefined;
  const unpadded = PADDED.exec(text)?.[1];
  if (unpadded === undefined) return undefined;
  try {
    const binary = atob(unpadded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    if (encoded(bytes) !== unpadded) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function encoded(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(PADDING, '');
}

const PADDING = /={1,2}$/u;
