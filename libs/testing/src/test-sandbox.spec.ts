import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptSandbox, sandboxIn } from './test-sandbox.js';

const READY = `console.log('Sluice is ready on http://127.0.0.1:4711 ' + process.pid);`;

describe('a sandbox that spec files share', () => {
  let place: string;
  let folder: string;
  let starts: string;

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'sluice-test-sandbox-'));
    folder = join(place, 'shared');
    starts = join(place, 'starts');
  });
  afterEach(() => {
    rmSync(place, { recursive: true, force: true });
  });

  /** A program that notes its start and what it was told, and then does as the text says. */
  function stubbed(text: string): readonly string[] {
    const file = join(place, 'stub.mjs');
    const noting = `import { appendFileSync } from 'node:fs';
      const note = (line) => appendFileSync(${JSON.stringify(starts)}, line + '\\n');
      note(process.argv.slice(2).join(' '));`;
    writeFileSync(file, `${noting}\n${text}`);
    return [file];
  }

  const notes = (): string => readFileSync(starts, 'utf8');

  it('is started once, and found by whoever comes later', async () => {
    const keeper = keptSandbox(folder, stubbed(`${READY} setInterval(() => {}, 1000);`));
    const found = [await sandboxIn(folder), await sandboxIn(folder)];
    expect(found.map(({ url }) => url)).toEqual(Array(2).fill('http://127.0.0.1:4711'));
    expect(found[0]?.output()).toMatch(/^Sluice is ready on /);
    expect(notes()).toBe(`--port 0 --data ${join(folder, 'data')}\n`);
    keeper.stdin?.destroy();
    await once(keeper, 'exit');
  });

  it('is told to stop and deleted when whoever started it is gone', async () => {
    const text = `process.on('SIGTERM', () => { note('stopped'); process.exit(0); });
      ${READY} setInterval(() => {}, 1000);`;
    const keeper = keptSandbox(folder, stubbed(text));
    await sandboxIn(folder);
    // As the system does it at the end of a process.
    keeper.stdin?.destroy();
    await once(keeper, 'exit');
    expect(notes()).toMatch(/\nstopped\n$/);
    expect(existsSync(folder)).toBe(false);
  });

  it('says what it printed when it ends before it is ready', async () => {
    const stub = stubbed(`console.error('no such flag'); process.exit(2);`);
    const keeper = keptSandbox(folder, stub);
    const printed = /has ended or never began; it printed:\nno such flag/;
    await expect(sandboxIn(folder)).rejects.toThrow(printed);
    await expect(sandboxIn(folder)).rejects.toThrow(printed);
    keeper.stdin?.destroy();
    await once(keeper, 'exit');
  });
});
