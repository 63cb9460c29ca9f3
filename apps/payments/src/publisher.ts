import type {
  AmountMessage,
  PaymentEventMetadata,
  PaymentEventName,
  PaymentEvents,
  PublishedPaymentEvent,
} from '@sluice/contracts';
import type { PaymentEvent } from '@sluice/domain-payments';
import type { RecordedEvent } from '@sluice/event-store';
import type { Amount } from '@sluice/money';

/** A value of the domain as JSON has it: amounts as text, all else as it is. */
type Stored<Value> = Value extends string | number | boolean
  ? Value
  : Value extends Amount
    ? AmountMessage
    : { readonly [Field in keyof Value]: Stored<Value[Field]> };

/** The data of the domain's events as the store has it, by type. */
type StoredPaymentEvents = {
  readonly [Event in PaymentEvent as Event['type']]: Stored<Event['data']>;
};

type Nothing<Found extends never> = Found;
type Difference<One, Other> = Exclude<keyof One, keyof Other> | Exclude<keyof Other, keyof One>;

/** Types and fields of events that only one side knows: compiles while there are none. */
export type Undescribed = [
  Nothing<Difference<StoredPaymentEvents, PaymentEvents>>,
  Nothing<
    {
      [Type in PaymentEventName]: Difference<StoredPaymentEvents[Type], PaymentEvents[Type]>;
    }[PaymentEventName]
  >,
];

/**
 * The published form of a recorded event: the stored one, with its place. The only function that
 * knows both; it compiles only while every event of the domain has the shape that was promised.
 */
export function publishedEvent(
  { id, type, schemaVersion, streamId, version, recordedAtMs, ...recorded }: RecordedEvent,
  incarnation: string,
): PublishedPaymentEvent {
  const metadata = recorded.metadata as PaymentEventMetadata;
  const { correlationId, causationId, traceparent } = metadata;
  const stored = recorded.data as StoredPaymentEvents[PaymentEventName];
  const event: PaymentEvents[PaymentEventName] = stored;
  const data = { streamId, version, recordedAtMs, incarnation, event, metadata };
  const message = {
    ...{ id, type, schemaVersion, key: streamId, correlationId, causationId },
    ...(traceparent !== undefined && { traceparent }),
    data,
  };
  // A type that a newer release has written goes out as well: it is for the readers to know (D-18).
  return message as PublishedPaymentEvent;
}
