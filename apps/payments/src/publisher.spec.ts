import { describe, expect, it } from '@jest/globals';
import { decodeEvent, encodeEvent, eventSchemas, type Schema } from '@sluice/domain-payments';
import type { RecordedEvent } from '@sluice/event-store';
import { publishedEvent } from './publisher.js';

const STREAM = '0194670a0000abcd0000000000000001';
const metadata = {
  recordedAtMs: 1_768_478_400_000,
  entityId: '8a8294174b7ecb28014b9699220015ca',
  channelName: 'demo',
  ndc: 'ndc-1',
  mode: 'INTERNAL',
  actor: 'token-node',
  correlationId: 'ndc-1',
  causationId: 'message-1',
};
const texts: Readonly<Record<string, string>> = {
  '^[0-9a-f]{32}$': STREAM,
  '^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$': '000.100.110',
  '^-?[0-9]{1,40}$': '99999999999999999999',
  '^[A-Z]{3}$': 'EUR',
  '^[0-9]{6}$': '420000',
  '^(?:[0-9]{6})?$': '',
  '^[0-9]{4}$': '0000',
};

/** Data of an event with every field that its schema knows. */
function example(schema: Schema, path: string): unknown {
  if (schema.type === 'integer') return 7;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'string') {
    const text = schema.pattern === undefined ? schema.enum?.[0] : texts[schema.pattern];
    if (schema.pattern !== undefined && text === undefined) throw new Error(`no text: ${path}`);
    return text ?? `a ${path}`;
  }
  const named = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    example(field, name),
  ]);
  return Object.fromEntries(named.length === 0 ? [['some.name', 'text']] : named) as unknown;
}

/** The names of all fields, at any depth. */
function fieldsOf(schema: Schema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    name,
    ...fieldsOf(field),
  ]);
}

function recorded(type: string, data: unknown): RecordedEvent {
  return {
    streamId: STREAM,
    version: 3,
    id: '01946711-0000-7000-8000-000000000001',
    commandId: '01946711-0000-7000-8000-000000000002',
    type,
    schemaVersion: 1,
    data,
    metadata,
    recordedAtMs: 1_768_478_400_123,
  };
}

describe('a published event', () => {
  it.each(eventSchemas().map(({ type, data }) => [type, data] as const))(
    'is %s as the codec writes it, with its place',
    (type, schema) => {
      const data = example(schema, type);
      const event = decodeEvent({ type, schemaVersion: 1, data, metadata });
      const encoded = encodeEvent(event);
      const written = JSON.parse(encoded.data) as unknown;
      expect(publishedEvent(recorded(type, written), 'life-1')).toEqual({
        id: '01946711-0000-7000-8000-000000000001',
        type,
        schemaVersion: encoded.schemaVersion,
        key: STREAM,
        correlationId: 'ndc-1',
        causationId: 'message-1',
        data: {
          streamId: STREAM,
          version: 3,
          recordedAtMs: 1_768_478_400_123,
          incarnation: 'life-1',
          event: data,
          metadata,
        },
      });
    },
  );

  it('of a newer writer goes out as it is, for its readers to know (D-18)', () => {
    const { type, data } = publishedEvent(
      recorded('PaymentForgotten', { reason: 'new' }),
      'life-1',
    );
    expect([type, data.event]).toEqual(['PaymentForgotten', { reason: 'new' }]);
  });

  it('has no field for card numbers, security codes, secrets or clear personal data', () => {
    const names = new Set(eventSchemas().flatMap(({ data }) => fieldsOf(data)));
    // Whoever adds a field decides here that it may leave the service.
    expect([...names].sort()).toEqual([
      'acquirerReference',
      'amount',
      'answer',
      'avsResponse',
      'bin',
      'brand',
      'brandDetected',
      'by',
      'card',
      'connector',
      'connectorTxId',
      'currency',
      'cvvResponse',
      'deadlineMs',
      'excess',
      'expiryMonth',
      'expiryYear',
      'final',
      'last4',
      'method',
      'minor',
      'numberOfCaptures',
      'operation',
      'parameters',
      'paymentMethod',
      'personal',
      'reason',
      'referencedId',
      'releases',
      'request',
      'resultCode',
      'resultDescription',
      'resultDetails',
      'source',
      'transactionId',
      'vaultReference',
    ]);
    const sealed = eventSchemas().flatMap(({ data }) => data.properties?.['personal'] ?? []);
    expect(sealed.map(({ type }) => type)).toEqual(sealed.map(() => 'string'));
  });
});
