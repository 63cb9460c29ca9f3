import { erroAbout, type MessageFault, namesIn, transactionIdNames } from './erro.js';
import type { ErrorCode } from './error-codes.js';
import { type Facts, factsOf, type Field } from './field-rows.js';
import { fieldsOf } from './field-tables.js';
import { elementOf, type Fault, isMissing, isObject } from './formats.js';
import {
  type DeviceChannel,
  deviceChannels,
  isMessageType,
  isMessageVersion,
  type Message,
  messageCategories,
  type MessageCategory,
  type MessageType,
  type MessageVersion,
  messageVersions,
} from './message-kinds.js';
import { statusFaults } from './status-rules.js';
import { isSameId } from './transaction-ids.js';
import type { ErroMessage, MessageOf } from './typed-messages.js';

/** The ids of a transaction that both sides know. */
export type TransactionIds = Readonly<Partial<Record<(typeof transactionIdNames)[number], string>>>;

/** Which message is expected, and what is known of its transaction. */
export interface Expected<Type extends MessageType> {
  readonly type: Type;
  /** The transaction's; absent: any that is spoken here. */
  readonly version?: MessageVersion;
  /** For messages that do not say it; absent: what depends on it is not demanded. */
  readonly channel?: DeviceChannel;
  readonly category?: MessageCategory;
  /** The AReq that the message answers, or belongs to. */
  readonly request?: Message;
  /** What the message has to have; another one is of another transaction. */
  readonly ids?: TransactionIds;
  /** The extensions that the receiver knows; any other critical one is refused. */
  readonly extensions?: readonly string[];
}

/** The message; or the Erro to answer with; or the Erro that came in its place. */
export type Checked<Type extends MessageType> =
  | { readonly message: MessageOf<Type> }
  | { readonly erro: ErroMessage }
  | { readonly received: ErroMessage };

/**
 * Checks a message by the tables. The message that it answers has the elements that its version knows
 * and nothing else, in their order. Whatever the value is, it does not throw.
 */
export function checkMessage<Type extends MessageType>(
  value: unknown,
  expected: Expected<Type>,
): Checked<Type> {
  const refuse = (fault: MessageFault) => ({ erro: erroAbout(value, fault, expected.version) });
  if (!isObject(value)) return refuse({ code: '101', detail: 'the message is not an object' });
  const type = elementOf(value, 'messageType');
  if (!isMessageType(type)) return refuse({ code: '101', detail: 'messageType' });
  if (type !== expected.type && type !== 'Erro') {
    return refuse({ code: '101', detail: 'the message is not for the receiver' });
  }
  const read = readVersion(value, type === 'Erro' ? undefined : expected.version);
  if ('code' in read) return refuse(read);
  const { version } = read;
  const facts = factsOf(value, version, knownOf(value, expected));
  const fields = fieldsOf(type, version).filter(({ channels }) => isFor(channels, facts));
  const fault =
    missingIn(value, fields, facts) ??
    unknownExtensions(value, expected.extensions ?? []) ??
    wrongIn(value, fields, facts, type) ??
    (type === 'Erro' ? undefined : otherTransaction(value, expected));
  if (fault !== undefined) return refuse(fault);
  const known = fields
    .map(({ name }) => [name, elementOf(value, name)] as const)
    .filter(([, each]) => each !== undefined);
  const message: Message = Object.fromEntries(known);
  return type === expected.type
    ? { message: message as MessageOf<Type> }
    : { received: message as ErroMessage };
}

function readVersion(
  message: Message,
  expected: MessageVersion | undefined,
): MessageFault | { readonly version: MessageVersion } {
  const version = elementOf(message, 'messageVersion');
  if (isMissing(version)) return { code: '201', detail: 'messageVersion' };
  if (typeof version !== 'string') return { code: '203', detail: 'messageVersion' };
  if (!isMessageVersion(version)) return { code: '102', detail: messageVersions.join(',') };
  const isOther = expected !== undefined && version !== expected;
  return isOther ? { code: '203', detail: 'messageVersion' } : { version };
}

/** Channel and category as AReq says them; or as the message does, which is checked like all else. */
function knownOf(
  message: Message,
  { channel, category, request }: Expected<MessageType>,
): Pick<Facts, 'category' | 'channel' | 'request'> {
  const said = (name: string): unknown =>
    elementOf(message, name) ?? elementOf(request ?? {}, name);
  const itsChannel = channel ?? deviceChannels.find((each) => each === said('deviceChannel'));
  const itsCategory =
    category ?? messageCategories.find((each) => each === said('messageCategory'));
  return {
    ...(itsChannel && { channel: itsChannel }),
    ...(itsCategory && { category: itsCategory }),
    ...(request && { request }),
  };
}

function isFor(channels: readonly DeviceChannel[], { channel }: Facts): boolean {
  return channel === undefined || channels.includes(channel);
}

/** Whether an element has to be there; what depends on something unknown does not. */
export function isRequired({ channels, inclusion }: Field, facts: Facts): boolean {
  if (facts.channel === undefined && channels.length < deviceChannels.length) return false;
  const { payment, nonPayment } = inclusion;
  const presences =
    facts.category === undefined
      ? [payment, nonPayment]
      : [facts.category === '01' ? payment : nonPayment];
  return presences.every(
    (presence) =>
      presence.kind === 'required' ||
      (presence.kind === 'conditional' && presence.holds?.(facts) === true),
  );
}

/** All that is missing comes first, as EMV has it. */
function missingIn(
  message: Message,
  fields: readonly Field[],
  facts: Facts,
): MessageFault | undefined {
  const missing = fields
    .filter((field) => isMissing(elementOf(message, field.name)) && isRequired(field, facts))
    .map(({ name }) => name);
  return missing.length > 0 ? { code: '201', detail: namesIn([...new Set(missing)]) } : undefined;
}

/** In which order faults are answered with; one Erro has one code. */
const ORDER = ['201', '203', '207', '204', '304'] as const satisfies readonly ErrorCode[];

function wrongIn(
  message: Message,
  fields: readonly Field[],
  facts: Facts,
  type: MessageType,
): MessageFault | undefined {
  const faults: readonly Fault[] = [
    ...fields.flatMap(({ name, format }) => {
      const value = elementOf(message, name);
      return value === undefined ? [] : format.faultsIn(value, name, facts.version);
    }),
    ...statusFaults(type, facts),
  ];
  const code = ORDER.find((each) => faults.some((fault) => fault.code === each));
  if (code === undefined) return undefined;
  const elements = faults.filter((fault) => fault.code === code).map(({ element }) => element);
  return { code, detail: namesIn([...new Set(elements)]) };
}

function unknownExtensions(message: Message, known: readonly string[]): MessageFault | undefined {
  const extensions = elementOf(message, 'messageExtension');
  if (!Array.isArray(extensions)) return undefined;
  const unknown = (extensions as readonly unknown[]).flatMap((extension) => {
    if (!isObject(extension) || elementOf(extension, 'criticalityIndicator') !== true) return [];
    const id = elementOf(extension, 'id');
    return typeof id === 'string' && !known.includes(id) ? [id] : [];
  });
  return unknown.length > 0
    ? { code: '202', detail: namesIn(unknown.slice(0, NAMED_MAX)) }
    : undefined;
}

const NAMED_MAX = 20;

function otherTransaction(
  message: Message,
  { ids, request }: Expected<MessageType>,
): MessageFault | undefined {
  const ofRequest = elementOf(request ?? {}, 'threeDSServerTransID');
  const known = {
    ...(typeof ofRequest === 'string' && { threeDSServerTransID: ofRequest }),
    ...ids,
  };
  const others = transactionIdNames.filter((name) => {
    const [mine, its] = [known[name], elementOf(message, name)];
    return mine !== undefined && typeof its === 'string' && !isSameId(its, mine);
  });
  return others.length > 0 ? { code: '301', detail: namesIn(others) } : undefined;
}
