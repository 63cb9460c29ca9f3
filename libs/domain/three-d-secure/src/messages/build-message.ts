import { checkMessage, type Expected } from './check-message.js';
import { fieldsOf, isFieldName } from './field-tables.js';
import { elementOf, type Format, isMissing } from './formats.js';
import {
  type DeviceChannel,
  deviceChannels,
  type Message,
  type MessageType,
  type MessageVersion,
} from './message-kinds.js';
import type { MessageOf } from './typed-messages.js';

/** What is known of the transaction of a message that is built. */
export type Built = Pick<Expected<MessageType>, 'category' | 'channel' | 'request'>;

/** A message that would be taken, or why it would not. */
export type Tried<Type extends MessageType> =
  | { readonly message: MessageOf<Type> }
  | {
      /** In words; names of elements, and never values. */
      readonly fault: string;
      /** Those that are wrong or missing. */
      readonly elements: readonly string[];
    };

/**
 * A message with these elements, in the order of the tables. Elements that the version, the message or
 * the channel does not know are left out, and so is what says nothing (undefined, null, an empty text).
 * What later versions have as a list and earlier ones alone can be given either way: a list gives its
 * first to a version that has it alone.
 * @throws Error when the program is broken: an unknown name, or a message that would not be taken
 */
export function buildMessage<Type extends MessageType>(
  type: Type,
  version: MessageVersion,
  elements: Message,
  known: Built = {},
): MessageOf<Type> {
  const tried = tryMessage(type, version, elements, known);
  if ('fault' in tried) throw new Error(`${type} ${version} would be ${tried.fault}`);
  return tried.message;
}

/**
 * The same, for elements of which others have said some: it does not throw for a message that would not
 * be taken.
 * @throws Error for an unknown name
 */
export function tryMessage<Type extends MessageType>(
  type: Type,
  version: MessageVersion,
  elements: Message,
  known: Built = {},
): Tried<Type> {
  const unknown = Object.keys(elements).filter((name) => !isFieldName(name));
  if (unknown.length > 0) throw new Error(`${type} has no element ${unknown.join(', ')}`);
  const all: Message = { ...elements, messageType: type, messageVersion: version };
  const channel = known.channel ?? channelOf(all);
  const fields = fieldsOf(type, version).filter(
    ({ channels }) => channel === undefined || channels.includes(channel),
  );
  const message = Object.fromEntries(
    fields.flatMap(({ name, format }) => {
      const value = inFormat(elementOf(all, name), format);
      return isMissing(value) ? [] : [[name, value] as const];
    }),
  );
  const checked = checkMessage(message, {
    ...{ ...known, type, version, ...(channel && { channel }) },
    extensions: criticalExtensionsOf(message),
  });
  if ('message' in checked) return { message: checked.message };
  const { errorCode, errorDetail } = 'erro' in checked ? checked.erro : checked.received;
  // Of `recurringInd.amountInd` the element.
  const wrong = errorDetail.split(',').map((name) => name.split('.', 1)[0] ?? name);
  return { fault: `refused with ${errorCode}: ${errorDetail}`, elements: wrong };
}

function channelOf(message: Message): DeviceChannel | undefined {
  return deviceChannels.find((each) => each === elementOf(message, 'deviceChannel'));
}

function inFormat(value: unknown, { kind }: Format): unknown {
  if (kind === 'array') return isMissing(value) || Array.isArray(value) ? value : [value];
  return Array.isArray(value) ? (value as readonly unknown[])[0] : value;
}

/** Who builds a message knows what it puts into it. */
function criticalExtensionsOf(message: Readonly<Record<string, unknown>>): readonly string[] {
  const extensions = message['messageExtension'];
  if (!Array.isArray(extensions)) return [];
  return (extensions as readonly { readonly id?: unknown }[]).flatMap(({ id }) =>
    typeof id === 'string' ? [id] : [],
  );
}
