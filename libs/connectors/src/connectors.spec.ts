import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('.', import.meta.url);
/** Folders beside those of acquirers. */
const NO_ACQUIRERS = ['contract'];

const acquirers = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NO_ACQUIRERS.includes(entry.name))
  .map(({ name }) => name);

function textOf(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8');
}

describe('every connector', () => {
  it.each(acquirers)('of %s is held to the contract', (acquirer) => {
    expect(textOf(`${acquirer}/${acquirer}-contract.int.spec.ts`)).toContain('connectorContract(');
  });

  it('but the simulator’s leaves test directives alone', () => {
    const readers = acquirers.filter((acquirer) =>
      readdirSync(new URL(acquirer, FOLDER)).some((file) =>
        /testDirectives|readsTestDirectives/u.test(textOf(`${acquirer}/${file}`)),
      ),
    );
    expect(readers).toEqual(['simulator']);
  });
});
