import { describe, expect, it } from '@jest/globals';
import type { KeyProvider } from '@sluice/service';
import { openPersonal, unwrapPersonalKey } from './personal-data.js';
import { sealParameters } from './sealed-parameters.js';
import { Stream } from './streams.js';

const personal = { 'customer.surname': 'Doe' };
const transactionId = 'transaction-1';
const keys = {
  wrap: async (key: Buffer, context: string) => ({
    ...{ version: '1', wrapped: Buffer.concat([key, Buffer.from(context)]) },
  }),
  unwrap: async (wrapped: Buffer, context: string) => {
    if (wrapped.subarray(32).toString() !== context) throw new Error('another context');
    return Buffer.from(wrapped.subarray(0, 32));
  },
} as unknown as KeyProvider;

/** What the database has of a stream's key, and how often it was asked. */
function databaseWith(wrapped: Buffer | 'erased' | undefined) {
  const asked: string[] = [];
  const of = async (streamId: string) => {
    asked.push(streamId);
    return wrapped;
  };
  return { asked, parts: { keys, personalKeys: { of } } };
}

function streamAt(version: number) {
  const stream = new Stream('stream-1', undefined);
  stream.version = version;
  return stream;
}

const opened = async (wrapped: Buffer, block: string | undefined) =>
  openPersonal(await unwrapPersonalKey(keys, 'stream-1', wrapped), transactionId, block ?? '');

/** A wrapped key as a first append leaves it. */
async function recordedKey(): Promise<Buffer> {
  const { parts } = databaseWith(undefined);
  const { personalKey } = await sealParameters(streamAt(0), { transactionId, personal }, parts);
  if (personalKey === undefined) throw new Error('no key');
  return personalKey.wrapped;
}

describe('personal parameters of a transaction', () => {
  it('are sealed under a new key with the first event of a stream, and nobody is asked', async () => {
    const { asked, parts } = databaseWith(undefined);
    const stream = streamAt(0);
    const sealed = await sealParameters(stream, { transactionId, personal }, parts);
    expect(await opened(sealed.personalKey!.wrapped, sealed.personal)).toEqual(personal);
    expect(asked).toEqual([]);
    // The append may fail, and then this is nobody's key.
    expect(stream.personalKey).toBeUndefined();
  });

  it('are sealed under the key that the stream has, which is read once', async () => {
    const wrapped = await recordedKey();
    const { asked, parts } = databaseWith(wrapped);
    const stream = streamAt(1);
    for (let times = 0; times < 2; times += 1) {
      const sealed = await sealParameters(stream, { transactionId, personal }, parts);
      expect(sealed.personalKey).toBeUndefined();
      expect(await opened(wrapped, sealed.personal)).toEqual(personal);
    }
    expect(asked).toEqual(['stream-1']);
  });

  it('are sealed under the key that came with the events, without a question', async () => {
    const stream = streamAt(1);
    stream.wrappedPersonalKey = await recordedKey();
    const { asked, parts } = databaseWith(undefined);
    const sealed = await sealParameters(stream, { transactionId, personal }, parts);
    expect(await opened(stream.wrappedPersonalKey, sealed.personal)).toEqual(personal);
    expect([asked, sealed.personalKey]).toEqual([[], undefined]);
  });

  it('bring a key along to a stream that has none yet', async () => {
    const { parts } = databaseWith(undefined);
    const sealed = await sealParameters(streamAt(3), { transactionId, personal }, parts);
    expect(await opened(sealed.personalKey!.wrapped, sealed.personal)).toEqual(personal);
  });

  it('are not kept where the stream was forgotten', async () => {
    const { parts } = databaseWith('erased');
    expect(await sealParameters(streamAt(1), { transactionId, personal }, parts)).toEqual({});
  });

  it('need no key where there are none', async () => {
    const { asked, parts } = databaseWith(undefined);
    expect(await sealParameters(streamAt(1), { transactionId }, parts)).toEqual({});
    expect(await sealParameters(streamAt(1), { transactionId, personal: {} }, parts)).toEqual({});
    expect(asked).toEqual([]);
  });
});
