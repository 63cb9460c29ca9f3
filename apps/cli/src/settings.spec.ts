import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { databaseUrlOf, eventSourceOf, readConnections, readerRoleOf } from './settings.js';

/** A data folder with a cluster's file, for one test. */
function withCluster(text: string, work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
  try {
    writeFileSync(join(folder, 'installation.json'), text);
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const cluster = JSON.stringify({
  environment: {
    KAFKA_BROKERS: '127.0.0.1:1111',
    PAYMENTS_DATABASE_URL: 'postgres://cluster',
    REPORTING_DATABASE_URL: 'postgres://reporting',
  },
});

describe('where things are', () => {
  it('is said by a flag, else by a variable, else by the local cluster', () => {
    withCluster(cluster, (folder) => {
      const flags = { data: folder };
      expect(readConnections(flags, {}).settings.brokers).toEqual(['127.0.0.1:1111']);
      const environment = { KAFKA_BROKERS: 'kafka:2222', PAYMENTS_DATABASE_URL: 'postgres://own' };
      const { settings } = readConnections(flags, environment);
      expect(settings.brokers).toEqual(['kafka:2222']);
      expect(databaseUrlOf(settings, 'payments', 'app')).toBe('postgres://own');
      expect(databaseUrlOf(settings, 'reporting', 'app')).toBe('postgres://reporting');
      const both = readConnections({ ...flags, brokers: 'a:1,b:2' }, environment);
      expect(both.settings.brokers).toEqual(['a:1', 'b:2']);
    });
  });

  it('may be in a file that a variable names, which beats the local cluster too', () => {
    withCluster(cluster, (folder) => {
      const secret = join(folder, 'secret');
      writeFileSync(secret, 'postgres://from-file\n');
      const environment = { SLUICE_DATA: folder, PAYMENTS_DATABASE_URL_FILE: secret };
      const { settings } = readConnections({}, environment);
      expect(databaseUrlOf(settings, 'payments', 'app')).toBe('postgres://from-file');
      expect(settings.brokers).toEqual(['127.0.0.1:1111']);
    });
  });

  it('must be said, and the sentence names the variable', () => {
    const { settings } = readConnections({}, { SLUICE_DATA: '/nowhere' });
    expect(() => databaseUrlOf(settings, 'payments', 'owner')).toThrow(
      /Start the sandbox .* or set PAYMENTS_OWNER_DATABASE_URL/,
    );
  });

  it('is refused without its value when it cannot be right', () => {
    const environment = { SLUICE_DATA: '/nowhere', PAYMENTS_DATABASE_URL: 'mysql://secret' };
    expect(() => readConnections({}, environment)).toThrow(/^PAYMENTS_DATABASE_URL must/);
    expect(() => readConnections({}, environment)).not.toThrow(/secret/);
    expect(() => readConnections({ data: '/nowhere' }, {})).toThrow(
      /no sandbox or local cluster runs there/,
    );
    withCluster('half a fi', (folder) => {
      expect(() => readConnections({ data: folder }, {})).toThrow(/is not JSON/);
    });
  });

  it('of events may be a role that only reads, for a rebuild', () => {
    const environment = { SLUICE_DATA: '/nowhere', PAYMENTS_DATABASE_URL: 'postgres://app' };
    expect(eventSourceOf(readConnections({}, environment).settings, 'payments').url).toBe(
      'postgres://app',
    );
    const reader = { ...environment, PAYMENTS_READER_DATABASE_URL: 'postgres://reader' };
    expect(eventSourceOf(readConnections({}, reader).settings, 'payments').url).toBe(
      'postgres://reader',
    );
    // Nobody reads its events, so it has no such role.
    const vault = { ...reader, VAULT_DATABASE_URL: 'postgres://vault' };
    expect(eventSourceOf(readConnections({}, vault).settings, 'vault').url).toBe(
      'postgres://vault',
    );
  });

  it('of events have a role of their own unless it is the one of the service', () => {
    const roleOf = (reader: Readonly<Record<string, string>>) =>
      readerRoleOf(
        readConnections({}, { SLUICE_DATA: '/nowhere', ...reader }).settings,
        'payments',
      );
    const reader = { PAYMENTS_READER_DATABASE_URL: 'postgres://reading:secret@db/sluice' };
    expect(roleOf({})).toBeUndefined();
    expect(roleOf(reader)).toBe('reading');
    expect(
      roleOf({ ...reader, PAYMENTS_DATABASE_URL: 'postgres://reading:secret@db/sluice' }),
    ).toBeUndefined();
  });
});

describe('an installation that runs on this machine', () => {
  const own = process.pid;
  /** No process has this number: Linux ends at 2^22. */
  const nobody = 2 ** 22 + 1;
  const sandbox = (pid: number) =>
    JSON.stringify({ pid, environment: { PAYMENTS_DATABASE_URL: 'postgres://sandbox' } });
  const runningCluster = JSON.stringify({ pid: own, ...JSON.parse(cluster) });

  it('is found by itself, and a sandbox has no Kafka', () => {
    withCluster(sandbox(own), (folder) => {
      const found = readConnections({}, {}, ['/nowhere', folder]);
      expect(databaseUrlOf(found.settings, 'payments', 'app')).toBe('postgres://sandbox');
      expect(found.sandboxFolder).toBe(folder);
      expect(readConnections({ brokers: 'a:1' }, {}, [folder]).sandboxFolder).toBeUndefined();
    });
    withCluster(runningCluster, (folder) => {
      expect(readConnections({}, {}, [folder]).sandboxFolder).toBeUndefined();
    });
  });

  it('that was killed has left its file, which counts only for who names its folder', () => {
    withCluster(sandbox(nobody), (folder) => {
      const found = readConnections({}, {}, [folder]);
      expect(() => databaseUrlOf(found.settings, 'payments', 'app')).toThrow(/npm start/);
      expect(readConnections({ data: folder }, {}, []).sandboxFolder).toBe(folder);
    });
  });

  it('must be named when there are two', () => {
    withCluster(sandbox(own), (first) => {
      withCluster(runningCluster, (second) => {
        expect(() => readConnections({}, {}, [first, second])).toThrow(
          /^Both a sandbox and a cluster run here: say --data \S+ or --data \S+\.$/,
        );
        expect(readConnections({ data: second }, {}, [first, second]).settings.brokers).toEqual([
          '127.0.0.1:1111',
        ]);
      });
    });
  });
});
