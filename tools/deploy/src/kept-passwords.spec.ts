import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubernetesCluster, ScriptedPrograms } from '@sluice/kubectl';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkKeptPasswords } from './kept-passwords.js';

const volumes = [{ name: 'secrets', secret: { secretName: 'postgres-secrets-1' } }];
const running = new KubernetesCluster(
  new ScriptedPrograms(
    [
      {
        begins: 'kubectl get statefulset/postgres',
        gives: [JSON.stringify({ spec: { template: { spec: { volumes } } } })],
      },
      {
        begins: 'kubectl get secret/postgres-secrets-1',
        gives: [JSON.stringify({ data: { 'admin-password': btoa('as it began') } })],
      },
    ],
    ['kubectl'],
  ),
);
const empty = new KubernetesCluster(
  new ScriptedPrograms([{ begins: 'kubectl get statefulset/postgres' }], ['kubectl']),
);

describe('the passwords of a PostgreSQL that is there', () => {
  let overlay: string;

  beforeEach(async () => {
    overlay = await mkdtemp(join(tmpdir(), 'sluice-overlay-'));
  });
  afterEach(() => rm(overlay, { recursive: true }));

  async function keep(password: string): Promise<void> {
    const folder = join(overlay, 'secrets/postgres/secrets');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'admin-password'), password);
  }

  it('are those of the folder', async () => {
    await keep('as it began');
    await expect(checkKeptPasswords(running, overlay)).resolves.toBeUndefined();
  });

  it.each(['another', ''])('are not replaced by others: "%s"', async (password) => {
    if (password !== '') await keep(password);
    const checking = checkKeptPasswords(running, overlay);
    await expect(checking).rejects.toThrow(/deployed from another folder.*--reset/s);
    await expect(checking).rejects.not.toThrow(/as it began|another"/);
  });

  it('are anything where none is there', async () => {
    await expect(checkKeptPasswords(empty, overlay)).resolves.toBeUndefined();
  });
});
