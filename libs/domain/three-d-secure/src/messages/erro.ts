import { type ErrorCode, errorDescriptions } from './error-codes.js';
import { elementOf, isObject, transactionId } from './formats.js';
import { isMessageVersion, type MessageVersion, messageVersions } from './message-kinds.js';
import type { ErroMessage } from './typed-messages.js';

/** As long as EMV has it. */
const DETAIL_CHARACTERS_MAX = 2_048;
/** Names in a detail may be the sender's, as those of elements that are there twice. */
const NAME_CHARACTERS_MAX = 64;
/** What may stand in a detail; it ends in logs and in others' programs. */
const NOT_PRINTED = /[^\x20-\x7E]/gu;

/** What is wrong with a message that we received. */
export interface MessageFault {
  readonly code: ErrorCode;
  /** Names of elements, never values; or a sentence. */
  readonly detail: string;
}

/** Names as a detail has them: with commas, and nothing in them that does harm. */
export function namesIn(names: readonly string[]): string {
  return names
    .map((name) => name.slice(0, NAME_CHARACTERS_MAX).replace(NOT_PRINTED, '?'))
    .join(',');
}

/**
 * The message Erro of a 3-D Secure server about what it received, with the ids of the transaction as
 * far as they can be read. `version` is the transaction's, for what has none that is spoken here.
 */
export function erroAbout(
  received: unknown,
  { code, detail }: MessageFault,
  version: MessageVersion = messageVersions[0],
): ErroMessage {
  const message = isObject(received) ? received : {};
  const itsVersion = elementOf(message, 'messageVersion');
  const itsType = elementOf(message, 'messageType');
  return {
    messageType: 'Erro',
    messageVersion: isMessageVersion(itsVersion) ? itsVersion : version,
    ...idsOf(message),
    errorCode: code,
    errorComponent: 'S',
    errorDescription: errorDescriptions[code],
    errorDetail: (detail || errorDescriptions[code]).slice(0, DETAIL_CHARACTERS_MAX),
    ...(typeof itsType === 'string' && TYPE.test(itsType) && { errorMessageType: itsType }),
  };
}

const TYPE = /^[A-Z][A-Za-z]{3}$/u;

/** The ids by which both sides find the transaction. */
export const transactionIdNames = [
  ...(['threeDSServerTransID', 'acsTransID', 'dsTransID', 'sdkTransID'] as const),
] as const;

function idsOf(message: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const ids = transactionIdNames.flatMap((name) => {
    const value = elementOf(message, name);
    const isId =
      typeof value === 'string' &&
      transactionId.faultsIn(value, name, messageVersions[0]).length === 0;
    return isId ? [[name, value] as const] : [];
  });
  return Object.fromEntries(ids);
}
