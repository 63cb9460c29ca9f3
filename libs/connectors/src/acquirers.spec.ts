import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { acquirers, connectorsFor } from './acquirers.js';

const FOLDER = new URL('.', import.meta.url);
const LIMITS = { callTimeoutMs: 20_000, maxInFlightMs: 30_000, callsMax: 8 };
/** Folders beside those of acquirers. */
const NO_ACQUIRERS = ['contract'];
/**
 * It sends no bytes to a host, which the contract is about, but asks a service of the installation:
 * `sepa-connector.spec.ts` has what remains of the same rules.
 */
const BY_RULES_OF_ITS_OWN = ['sepa'];

const folders = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NO_ACQUIRERS.includes(entry.name))
  .map(({ name }) => name);

function textOf(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8');
}

describe('every connector', () => {
  it('has a folder and a row of the same name', () => {
    expect(acquirers.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  const held = folders.filter((folder) => !BY_RULES_OF_ITS_OWN.includes(folder));

  it.each(held)('of %s is held to the contract', (folder) => {
    expect(textOf(`${folder}/${folder}-contract.int.spec.ts`)).toContain('connectorContract(');
  });

  it('but the simulator’s leaves test directives alone', () => {
    const readers = folders.filter((folder) =>
      readdirSync(new URL(folder, FOLDER), { withFileTypes: true }).some(
        (entry) =>
          entry.isFile() &&
          !entry.name.endsWith('.spec.ts') &&
          /testDirectives|readsTestDirectives/iu.test(textOf(`${folder}/${entry.name}`)),
      ),
    );
    expect(readers).toEqual(['simulator']);
  });
});

describe('the connectors of an installation', () => {
  it('lead to the acquirers that it is told of', async () => {
    const [connector, ...others] = connectorsFor({ simulator: { url: 'http://s:8081' } }, LIMITS);
    expect(others).toEqual([]);
    expect(connector?.name).toBe('simulator');
    expect(connector?.capabilities).toMatchObject({ callTimeoutMs: 20_000, maxInFlightMs: 30_000 });
    await connector?.close();
  });

  it.each([[{}], [{ simulator: {} }], [{ simulator: { url: undefined } }]])(
    'are none where it is told %j',
    (told) => {
      expect(connectorsFor(told, LIMITS)).toEqual([]);
    },
  );
});
