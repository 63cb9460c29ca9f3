import { fromMessage, toMessage, type Amount, type AmountText } from '@sluice/money';
import type { EventMetadata, PaymentEvent, PaymentEventType } from './events.js';
import { currentSchemaVersions, upcast } from './upcasters.js';

/** An event as the event store keeps it: JSON texts, amounts as `{minor: text, currency}`. */
export interface EncodedEvent {
  readonly type: PaymentEventType;
  readonly schemaVersion: number;
  readonly data: string;
  readonly metadata: string;
}

/** An event as the event store gives it back: parsed JSON or its text. */
export interface StoredEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** The fields of event data that hold an amount. */
const AMOUNT_FIELDS = ['amount', 'releases', 'excess'] as const;

type Fields = Record<string, unknown>;

/** Turns an event into what is stored. */
export function encodeEvent(event: PaymentEvent): EncodedEvent {
  const data: Fields = { ...event.data };
  for (const field of AMOUNT_FIELDS) {
    const amount = data[field] as Amount | undefined;
    if (amount !== undefined) data[field] = toMessage(amount);
  }
  return {
    type: event.type,
    schemaVersion: currentSchemaVersions[event.type],
    data: JSON.stringify(data),
    metadata: JSON.stringify(event.metadata),
  };
}

/**
 * Turns what is stored into an event of the current shape, through the upcasters.
 * @throws Error for a type or schema version this release does not know (D-18).
 */
export function decodeEvent(stored: StoredEvent): PaymentEvent {
  const { type, data } = upcast({
    type: stored.type,
    schemaVersion: stored.schemaVersion,
    data: parsed(stored.data),
  });
  const fields: Fields = { ...data };
  for (const field of AMOUNT_FIELDS) {
    const amount = fields[field] as AmountText | undefined;
    if (amount !== undefined) fields[field] = fromMessage(amount);
  }
  const metadata = parsed(stored.metadata) as unknown as EventMetadata;
  // The one place where a stored shape becomes a type: the upcaster checked name and version.
  return { type, data: fields, metadata } as unknown as PaymentEvent;
}

function parsed(json: unknown): Fields {
  return (typeof json === 'string' ? JSON.parse(json) : json) as Fields;
}
