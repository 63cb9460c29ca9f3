import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileKeyProvider, KeyFileError } from './file-key-provider.js';
import { WrappedKeyBroken, WrappingKeyRetired } from './key-provider.js';

const dataKey = Buffer.from('0123456789abcdef0123456789abcdef');
const fresh = (): string => randomBytes(32).toString('base64');
let folder: string;
let path: string;
let provider: FileKeyProvider | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'));
  path = join(folder, 'keys.json');
});
afterEach(() => {
  provider?.close();
  rmSync(folder, { recursive: true });
});

function write(content: unknown): void {
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
}

async function opened(options = {}): Promise<FileKeyProvider> {
  provider = await FileKeyProvider.open(path, { pollIntervalMs: 0, ...options });
  return provider;
}

describe('a key file', () => {
  it('is made once, for its owner alone, where that is asked for', async () => {
    await expect(opened()).rejects.toThrow(KeyFileError);
    const first = await opened({ createIfAbsent: true });
    const content = readFileSync(path, 'utf8');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { wrapped } = await first.wrap(dataKey, 'row');
    const second = await opened({ createIfAbsent: true });
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(await second.unwrap(wrapped, 'row')).toEqual(dataKey);
  });

  it.each([
    ['is not JSON', '{'],
    ['has no "keys"', '{}'],
    ['has no "keys"', 'null'],
    ['has no "keys"', '{"keys": []}'],
    ['names no key of its own', JSON.stringify({ current: '2', keys: { 1: fresh() } })],
    ['is not 32 bytes', JSON.stringify({ current: '1', keys: { 1: 'c2hvcnQ=' } })],
    ['is not 32 bytes', JSON.stringify({ current: '1', keys: { 1: 7 } })],
    ['short plain name', JSON.stringify({ current: 'a b', keys: { 'a b': fresh() } })],
  ])('that %s is refused', async (reason, content) => {
    writeFileSync(path, content, { mode: 0o600 });
    await expect(opened()).rejects.toThrow(reason);
  });

  it('that everybody may read is refused', async () => {
    write({ current: '1', keys: { 1: fresh() } });
    chmodSync(path, 0o644);
    await expect(opened()).rejects.toThrow('mode 0600');
  });
});

describe('a wrapped key', () => {
  it('opens only in its own context, unaltered', async () => {
    const keys = await opened({ createIfAbsent: true });
    const { version, wrapped } = await keys.wrap(dataKey, 'row 1');
    expect(version).toBe('1');
    expect(wrapped.includes(dataKey)).toBe(false);
    expect(await keys.unwrap(wrapped, 'row 1')).toEqual(dataKey);
    await expect(keys.unwrap(wrapped, 'row 2')).rejects.toThrow(WrappedKeyBroken);
    for (const index of wrapped.keys()) {
      const altered = Buffer.from(wrapped);
      altered[index] = (altered[index] ?? 0) ^ 1;
      await expect(keys.unwrap(altered, 'row 1')).rejects.toThrow(/altered|not in the key ring/);
    }
    await expect(keys.unwrap(Buffer.alloc(0), 'row 1')).rejects.toThrow(WrappedKeyBroken);
    await expect(keys.unwrap(wrapped.subarray(0, 20), 'row 1')).rejects.toThrow(WrappedKeyBroken);
  });

  it('is another one each time', async () => {
    const keys = await opened({ createIfAbsent: true });
    const [one, two] = [await keys.wrap(dataKey, 'row'), await keys.wrap(dataKey, 'row')];
    expect(one.wrapped.equals(two.wrapped)).toBe(false);
  });
});

describe('a rotation while running', () => {
  it('wraps under the new version at once, unwraps the old until it is removed', async () => {
    const [old, next] = [fresh(), fresh()];
    write({ current: '1', keys: { 1: old } });
    const keys = await opened();
    const before = await keys.wrap(dataKey, 'row');

    write({ current: 'two', keys: { 1: old, two: next } });
    await keys.reload();
    expect(keys.currentVersion()).toBe('two');
    const after = await keys.wrap(dataKey, 'row');
    expect(after.version).toBe('two');
    expect(await keys.unwrap(before.wrapped, 'row')).toEqual(dataKey);

    write({ current: 'two', keys: { two: next } });
    await keys.reload();
    expect([keys.hasVersion('1'), keys.hasVersion('two')]).toEqual([false, true]);
    await expect(keys.unwrap(before.wrapped, 'row')).rejects.toThrow(WrappingKeyRetired);
    expect(await keys.unwrap(after.wrapped, 'row')).toEqual(dataKey);
  });

  it('keeps the keys it has while the file is half written', async () => {
    const problems: Error[] = [];
    const keys = await opened({
      createIfAbsent: true,
      onProblem: (error: Error) => problems.push(error),
    });
    const { wrapped } = await keys.wrap(dataKey, 'row');
    writeFileSync(path, '{"current": "2", "ke');
    await keys.reload();
    expect(problems.map(({ message }) => message)).toEqual([`The key file ${path} is not JSON.`]);
    expect(await keys.unwrap(wrapped, 'row')).toEqual(dataKey);
  });

  it('notices a changed file by itself', async () => {
    const key = fresh();
    write({ current: '1', keys: { 1: key } });
    const keys = await opened({ pollIntervalMs: 5 });
    write({ current: 'next', keys: { 1: key, next: fresh() } });
    while (keys.currentVersion() === '1') await new Promise((resolve) => setImmediate(resolve));
    expect(keys.currentVersion()).toBe('next');
  });
});
