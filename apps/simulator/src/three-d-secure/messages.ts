/** The versions that are spoken here, the oldest first. */
export const messageVersions = ['2.1.0', '2.2.0', '2.3.1'] as const;

/** One of them. */
export type MessageVersion = (typeof messageVersions)[number];

/** A message as it is sent. */
export type Message = Readonly<Record<string, unknown>>;

/** What whoever speaks another version is told. */
export const SPOKEN_VERSIONS = messageVersions.join(',');

/** Why a message is not taken (EMV 3-D Secure, error codes). */
export const errorDescriptions = {
  '101': 'Message Received Invalid',
  '102': 'Message Version Number Not Supported',
  '201': 'Required Data Element Missing',
  '202': 'Critical Message Extension Not Recognised',
  '203': 'Format of one or more Data Elements is Invalid according to the Specification',
  '204': 'Duplicate Data Element',
  '207': 'Value in the Reserved Value range',
  '301': 'Transaction ID Not Recognised',
  '302': 'Data Decryption Failure',
  '304': 'ISO Code Invalid',
  '305': 'Transaction data not valid',
  '307': 'Serial Number not Valid',
  '403': 'Transient System Failure',
} as const;

/** One of them. */
export type ErrorCode = keyof typeof errorDescriptions;

/** What is wrong with a message. */
export interface Refusal {
  readonly code: ErrorCode;
  /** The data elements; values are never repeated. */
  readonly detail: string;
}

/** A message that could be read, or why it could not. */
export type Read<Result> = { readonly value: Result } | { readonly refusal: Refusal };

/** A message with one value per name, of which nothing more is known. */
export function readMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DETAIL_LENGTH_MAX = 2_048;

/** Whether a value is the id of a transaction, as EMV has them. */
export function isTransactionId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value.toLowerCase());
}

/** Whether a version is this one or came after it. */
export function isSince(version: MessageVersion, first: MessageVersion): boolean {
  return messageVersions.indexOf(version) >= messageVersions.indexOf(first);
}

/** Whether EMV calls an element missing: it is not there, or says nothing. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Whether a version is spoken here. */
export function isVersion(value: unknown): value is MessageVersion {
  return messageVersions.some((version) => version === value);
}

/** The message `Erro` of a directory server or an ACS about a message that it received. */
export function erro(received: Message, { code, detail }: Refusal, component: 'D' | 'A'): Message {
  const { threeDSServerTransID, acsTransID, sdkTransID, messageType, messageVersion } = received;
  return {
    ...(isTransactionId(threeDSServerTransID) && { threeDSServerTransID }),
    ...(isTransactionId(acsTransID) && { acsTransID }),
    ...(isTransactionId(sdkTransID) && { sdkTransID }),
    errorCode: code,
    errorComponent: component,
    errorDescription: errorDescriptions[code],
    errorDetail: detail.slice(0, DETAIL_LENGTH_MAX),
    ...(isMessageType(messageType) && { errorMessageType: messageType }),
    messageType: 'Erro',
    messageVersion: isVersion(messageVersion) ? messageVersion : messageVersions[0],
  };
}

const MESSAGE_TYPE = /^[A-Z][A-Za-z]{3}$/;

function isMessageType(value: unknown): value is string {
  return typeof value === 'string' && MESSAGE_TYPE.test(value);
}

/** As browsers carry messages. */
export function encoded(message: Message): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url');
}

/** A browser's message; padding is left out by some and not by others. */
export function decoded(text: string): Message | undefined {
  return BASE64URL.test(text) ? readMessage(Buffer.from(text, 'base64url').toString()) : undefined;
}

const BASE64URL = /^[0-9A-Za-z_-]+={0,2}$/;
