import { afterAll, describe, expect, it } from '@jest/globals';
import { postmasterOf, startTestDatabase } from '@sluice/testing';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  altered,
  call,
  newFolder,
  printedRequest,
  refused,
  start,
  START_WITHIN_MS,
  STOP_WITHIN_MS,
  endSandboxes,
} from './started-sandboxes-fixture.js';

afterAll(endSandboxes, START_WITHIN_MS);

describe('a seed file', () => {
  const token = 'seeded-token-of-a-test-merchant';
  const channel = {
    entityId: 'ab'.repeat(16),
    name: 'Seeded shop',
    merchant: 'Seeded merchant',
    accessTokens: [token],
  };

  it(
    'brings channels of its own, on an existing PostgreSQL too',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'seed.json');
      writeFileSync(file, JSON.stringify({ channels: [channel] }));
      const database = await startTestDatabase();
      const sandbox = await start(join(folder, 'data'), [
        '--seed',
        file,
        '--database',
        database.url,
      ]);
      const { url, body } = printedRequest(sandbox.output());
      const headers = new Headers({ Authorization: `Bearer ${token}` });
      const seeded = altered(body, { entityId: channel.entityId });
      expect((await call(url, headers, seeded)).result.code).toBe('000.100.110');
      expect((await call(url, headers, body)).result.code).toBe('800.900.100');

      const other = await refused([
        ...['--port', '0', '--data', join(folder, 'other'), '--database', database.url],
      ]);
      expect(other.sentence).toContain(
        'The database is in use by another sandbox or cluster (sluice-sandbox',
      );
      const reset = await refused(['--reset', '--data', folder, '--database', database.url]);
      expect(reset).toMatchObject({ code: 2 });
      expect(existsSync(join(folder, 'data', 'postgres'))).toBe(false);
      expect((await sandbox.stop()).endedAfterMs).toBeLessThan(STOP_WITHIN_MS);

      // The book and the keys of those payments lie in the folder that they were taken with.
      const elsewhere = await refused([
        ...['--port', '0', '--data', join(folder, 'other'), '--database', database.url],
      ]);
      expect(elsewhere.code).toBe(2);
      expect(elsewhere.sentence).toContain(
        `was begun with the data folder ${join(folder, 'data')}`,
      );
      expect(elsewhere.sentence).toContain(`and not with ${join(folder, 'other')}.`);
      await database.drop();
    },
    START_WITHIN_MS,
  );

  it(
    'is refused with the line and the reason',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'seed.json');
      writeFileSync(file, '{\n  "channels": [\n    { "entityId": "short" }\n  ]\n}\n');
      const words = ['--port', '0', '--data', join(folder, 'data')];
      const { code, sentence } = await refused([...words, '--seed', file]);
      expect(code).toBe(2);
      expect(sentence).toContain(`The seed file ${file} is refused, line 3: "entityId" must be`);
      expect(sentence.split('\n')).toHaveLength(1);
      const missing = await refused([...words, '--seed', join(folder, 'none.json')]);
      expect(missing).toEqual({
        code: 2,
        sentence: `The seed file ${join(folder, 'none.json')} does not exist.`,
      });
      expect(await postmasterOf(join(folder, 'data'))).toBeUndefined();
    },
    START_WITHIN_MS,
  );
});

describe('a file of card details', () => {
  it(
    'is what answers tell of cards',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'bins.json');
      writeFileSync(file, '{"bins": [{"prefix": "420000", "level": "FROM A FILE"}]}');
      const environment = { EDGE_BIN_FILE: file };
      const sandbox = await start(join(folder, 'data'), [], environment);
      const { url, headers, body } = printedRequest(sandbox.output());
      expect(await call(url, headers, body)).toMatchObject({ card: { level: 'FROM A FILE' } });
      await sandbox.stop();
    },
    START_WITHIN_MS,
  );
});

describe('a start that cannot be', () => {
  it(
    'is refused in one sentence',
    async () => {
      expect(await refused(['--prot', '1'])).toEqual({
        code: 2,
        sentence: "Unknown option '--prot' (Did you mean --port?) See --help.",
      });
      expect((await refused(['--port', 'x'])).code).toBe(2);
      const lease = await refused(['--sweeper-lease', '1000', '--data', newFolder()]);
      expect(lease.code).toBe(2);
      expect(lease.sentence).toContain('together, 52000 ms');
    },
    START_WITHIN_MS,
  );

  it(
    'says what is wrong with a file of card details before it makes anything',
    async () => {
      const folder = newFolder();
      const file = join(folder, 'bins.json');
      const words = ['--port', '0', '--data', join(folder, 'data'), '--bin-file', file];
      const missing = await refused(words);
      expect(missing).toEqual({
        code: 2,
        sentence: '--bin-file (EDGE_BIN_FILE) names a file that cannot be read (ENOENT).',
      });
      writeFileSync(file, '{"bins": [{"prefix": "4", "country": "Denmark"}]}');
      expect((await refused(words)).sentence).toContain('bins[0].country must be two letters');
      expect(existsSync(join(folder, 'data', 'postgres'))).toBe(false);
    },
    START_WITHIN_MS,
  );

  it.each(['--port', '--shop-port'])(
    'says that the port of %s is taken before it makes anything',
    async (flag) => {
      const folder = newFolder();
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? String(address.port) : '';
      const others = flag === '--port' ? [] : ['--port', '0'];
      const { code, sentence } = await refused([...others, flag, port, '--data', folder]);
      server.close();
      expect(code).toBe(1);
      expect(sentence).toBe(
        `Port ${port} is in use by another program; choose another with ${flag}.`,
      );
      expect(readdirSync(folder)).toEqual([]);
    },
    START_WITHIN_MS,
  );

  it(
    'wants a port for each of the three',
    async () => {
      const sentence = '--port, --management-port and --shop-port must differ.';
      expect(await refused(['--port', '8080', '--shop-port', '8080'])).toEqual({
        code: 2,
        sentence,
      });
    },
    START_WITHIN_MS,
  );

  it(
    'names a database that does not answer, without its password',
    async () => {
      const folder = newFolder();
      const url = 'postgres://somebody:canary@127.0.0.1:9/none';
      const words = ['--port', '0', '--data', folder, '--database', url];
      const { code, sentence } = await refused(words);
      expect(code).toBe(1);
      expect(sentence).toContain('The database none at 127.0.0.1:9 cannot be used as "somebody"');
      expect(sentence).not.toContain('canary');
      expect(readFileSync(join(folder, 'keys', 'vault.json'), 'utf8')).toContain('"current"');
    },
    START_WITHIN_MS,
  );
});
