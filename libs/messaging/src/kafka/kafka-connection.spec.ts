import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority } from '@sluice/certificates';
import { createLogger, KafkaSettings, loadSettings } from '@sluice/service';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaConnection } from './kafka-connection.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const ALL_THREE = 'KAFKA_TLS_CERTIFICATE_FILE, KAFKA_TLS_KEY_FILE and KAFKA_TLS_AUTHORITY_FILE';

let folder: string;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-kafka-files-'));
  const commonName = 'Test authority';
  const own = await createAuthority({ commonName, validDays: 1, from: new Date() });
  environment = {
    KAFKA_TLS_CERTIFICATE_FILE: join(folder, 'user.crt'),
    KAFKA_TLS_KEY_FILE: join(folder, 'user.key'),
    KAFKA_TLS_AUTHORITY_FILE: join(folder, 'ca.crt'),
  };
  await writeFile(join(folder, 'user.crt'), own.certificate);
  await writeFile(join(folder, 'user.key'), own.key);
  await writeFile(join(folder, 'ca.crt'), own.certificate);
});

afterAll(() => rm(folder, { recursive: true }));

function connection(variables: Readonly<Record<string, string>>) {
  return kafkaConnection(loadSettings(KafkaSettings, variables), logger);
}

describe('how Kafka is reached', () => {
  it('is without certificates unless it is told three files', async () => {
    expect((await connection({})).tls).toBeUndefined();
    expect((await connection(environment)).tls?.current.cert).toMatch(/^-----BEGIN CERTIFICATE/);
  });

  it('is refused with two of them, and with a file that is not there, naming the variables', async () => {
    const { KAFKA_TLS_KEY_FILE: _, ...two } = environment;
    await expect(connection(two)).rejects.toThrow(`${ALL_THREE} must be set together.`);
    const nowhere = { ...environment, KAFKA_TLS_KEY_FILE: join(folder, 'none') };
    await expect(connection(nowhere)).rejects.toThrow(
      `The files of ${ALL_THREE} cannot be used (ENOENT).`,
    );
  });
});
