import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BookFile } from './book-file.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-book-'));
  path = join(folder, 'book.ndjson');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function open(): Promise<{ file: BookFile; lines: string[] }> {
  const lines: string[] = [];
  const file = await BookFile.open(path, (line) => lines.push(line));
  return { file, lines };
}

async function linesOf(file: BookFile): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of file.lines()) lines.push(line);
  return lines;
}

describe('a book file', () => {
  it('has every line on the disk when its append resolves', async () => {
    const { file } = await open();
    await file.append('first');
    expect(await readFile(path, 'utf8')).toBe('first\n');
    await file.append('second');
    expect(await readFile(path, 'utf8')).toBe('first\nsecond\n');
    await file.close();
  });

  it('keeps the order of many appends at once and tells each its place', async () => {
    const { file } = await open();
    const wanted = Array.from({ length: 1_000 }, (_each, index) => `line ${index} äöü €`);
    const places = await Promise.all(wanted.map((line) => file.append(line)));
    expect(await linesOf(file)).toEqual(wanted);
    expect(await file.read(places[777]!)).toBe(wanted[777]);
    expect(file.lengthBytes).toBe((await stat(path)).size);
    await file.close();
  });

  it('gives its lines back at the next start and goes on behind them', async () => {
    const first = await open();
    await first.file.append('one');
    await first.file.append('two');
    await first.file.close();
    const second = await open();
    expect(second.lines).toEqual(['one', 'two']);
    await second.file.append('three');
    expect(await linesOf(second.file)).toEqual(['one', 'two', 'three']);
    await second.file.close();
  });

  it.each(['{"half', 'x', 'x'.repeat(3_000_000)])(
    'cuts off a last line that a kill left unfinished',
    async (torn) => {
      await writeFile(path, 'one\ntwo\n');
      await appendFile(path, torn);
      const { file, lines } = await open();
      expect(lines).toEqual(['one', 'two']);
      await file.append('three');
      expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n');
      await file.close();
    },
  );

  it('reads lines that straddle its reading chunks', async () => {
    const wanted = Array.from({ length: 5_000 }, (_each, index) => `${index}:${'y'.repeat(500)}`);
    await writeFile(path, `${wanted.join('\n')}\n`);
    const { file, lines } = await open();
    expect(lines).toEqual(wanted);
    await file.close();
  });

  it('finishes what is queued before it closes, and takes nothing afterwards', async () => {
    const { file } = await open();
    const appends = Promise.all([file.append('one'), file.append('two')]);
    await file.close();
    await appends;
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
    await expect(file.append('three')).rejects.toThrow('closed');
  });

  it('refuses more than the disk can take', async () => {
    const { file } = await open();
    const appends = Array.from({ length: 25_000 }, () => file.append('z'));
    const results = await Promise.allSettled(appends);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(await linesOf(file)).toHaveLength(results.length - refused.length);
    await file.close();
  });
});
