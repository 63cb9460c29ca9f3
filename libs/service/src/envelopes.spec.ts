import { describe, expect, it } from '@jest/globals';
import { EnvelopeBroken, EnvelopeOpener, EnvelopeSealer } from './envelopes.js';
import { type KeyProvider, WrappedKeyBroken, WrappingKeyRetired } from './key-provider.js';

const HOUR_MS = 60 * 60 * 1_000;

/** Wraps by adding its version, and counts what it is asked. */
class CountingKeys implements KeyProvider {
  version = 'a';
  wrapped = 0;
  unwrapped = 0;
  failure: Error | undefined;
  readonly known = new Set(['a']);

  currentVersion = () => this.version;
  hasVersion = (version: string) => this.known.has(version);

  async wrap(key: Buffer) {
    if (this.failure) throw this.failure;
    this.wrapped += 1;
    return { version: this.version, wrapped: Buffer.concat([Buffer.from(this.version), key]) };
  }

  async unwrap(wrapped: Buffer) {
    this.unwrapped += 1;
    const version = wrapped.toString('utf8', 0, 1);
    if (wrapped.length !== 33) throw new WrappedKeyBroken();
    if (!this.known.has(version)) throw new WrappingKeyRetired(version);
    return Buffer.from(wrapped.subarray(1));
  }
}

function parts() {
  const keys = new CountingKeys();
  const clock = { nowMs: 0, now: () => 0, monotonicMs: () => clock.nowMs };
  return { keys, clock, sealer: new EnvelopeSealer(keys, clock), opener: new EnvelopeOpener(keys) };
}

describe('a sealer', () => {
  it('asks for a key once an hour, and seals many texts under it', async () => {
    const { keys, clock, sealer } = parts();
    const many = await Promise.all([1, 2, 3].map((n) => sealer.seal('c', `text ${String(n)}`)));
    expect(new Set(many.map(({ key }) => key)).size).toBe(1);
    expect(new Set(many.map(({ block }) => block)).size).toBe(3);
    clock.nowMs = HOUR_MS - 1;
    await sealer.seal('c', 'x');
    expect(keys.wrapped).toBe(1);
    clock.nowMs = HOUR_MS;
    expect((await sealer.seal('c', 'x')).key).not.toBe(many[0]?.key);
    expect(keys.wrapped).toBe(2);
  });

  it('takes a rotated wrapping key at once', async () => {
    const { keys, sealer } = parts();
    await sealer.seal('c', 'x');
    keys.version = 'b';
    const { key } = await sealer.seal('c', 'x');
    expect(Buffer.from(key, 'base64').toString('utf8', 0, 1)).toBe('b');
  });

  it('says when there is no key, and asks again', async () => {
    const { keys, sealer } = parts();
    keys.failure = new Error('the key service is away');
    await expect(sealer.seal('c', 'x')).rejects.toThrow('the key service is away');
    keys.failure = undefined;
    expect(await sealer.seal('c', 'x')).toMatchObject({ block: expect.any(String) });
  });
});

describe('an opener', () => {
  it('opens what was sealed, and unwraps each key once', async () => {
    const { keys, sealer, opener } = parts();
    const envelope = await sealer.seal('c', 'Zoë & \u{1f600}');
    const opened = await Promise.all([1, 2, 3].map(() => opener.open('c', envelope)));
    expect(opened).toEqual(Array(3).fill('Zoë & \u{1f600}'));
    expect(await opener.open('d', await sealer.seal('d', ''))).toBe('');
    expect(keys.unwrapped).toBe(1);
  });

  it('keeps a bounded number of keys', async () => {
    const { keys, clock, sealer, opener } = parts();
    const first = await sealer.seal('c', 'x');
    await opener.open('c', first);
    for (let hour = 1; hour <= 128; hour += 1) {
      clock.nowMs = hour * HOUR_MS;
      await opener.open('c', await sealer.seal('c', 'x'));
    }
    expect(keys.unwrapped).toBe(129);
    await opener.open('c', first);
    expect(keys.unwrapped).toBe(130);
  });

  it('waits for a wrapping key that is not here yet', async () => {
    const { keys, sealer, opener } = parts();
    keys.version = 'b';
    const envelope = await sealer.seal('c', 'x');
    await expect(opener.open('c', envelope)).rejects.toThrow(WrappingKeyRetired);
    keys.known.add('b');
    expect(await opener.open('c', envelope)).toBe('x');
  });

  it('refuses what was altered, moved, or has no form', async () => {
    const { sealer, opener } = parts();
    const good = await sealer.seal('c', 'some text');
    const bytes = Buffer.from(good.block, 'base64');
    bytes[bytes.length - 1]! ^= 1;
    const other = await parts().sealer.seal('c', 'some text');
    for (const [context, envelope] of [
      ['d', good],
      ['c', { ...good, block: bytes.toString('base64') }],
      ['c', { ...good, block: '' }],
      ['c', { ...good, key: other.key }],
      ['c', { ...good, key: 'AAAA' }],
      ['c', {}],
      ['c', { 'customer.email': 'jane@example.org' }],
      ['c', { key: 1, block: [] }],
    ] as const) {
      await expect(opener.open(context, envelope as never)).rejects.toThrow(EnvelopeBroken);
    }
    expect(await opener.open('c', good)).toBe('some text');
  });
});
