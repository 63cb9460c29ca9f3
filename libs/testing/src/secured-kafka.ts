import { startLocalKafka } from '@sluice/local-kafka';
import { TlsMaterial } from '@sluice/service';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateFiles, startTestAuthority } from './test-certificates.js';

/** A broker of a spec's own with mutual TLS, which checks what everybody may do (D-47). */
export interface SecuredKafka {
  readonly brokers: readonly string[];
  /** The files of a client of this name; asked again, they are renewed in their place. */
  filesOf(client: string): Promise<CertificateFiles>;
  /** The same, opened, and the same again: nothing renews files that somebody has open. */
  tlsOf(client: string): Promise<TlsMaterial>;
  stop(): Promise<void>;
}

/** The broker itself, and whoever makes topics and access rules. */
const SUPER_USERS = ['kafka', 'operator'];

/** Starts it; its certificate is good for 127.0.0.1 alone. */
export async function startSecuredKafka(): Promise<SecuredKafka> {
  const authority = await startTestAuthority();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-secured-kafka-'));
  const { certificateFile, keyFile, authorityFile } = await authority.certificateOf('kafka');
  const keystoreFile = join(folder, 'keystore.pem');
  const pems = await Promise.all([keyFile, certificateFile].map((file) => readFile(file, 'utf8')));
  await writeFile(keystoreFile, pems.join(''), { mode: 0o600 });
  const broker = await startLocalKafka({
    folder: join(folder, 'broker'),
    removeFolderAtEnd: true,
    security: { keystoreFile, truststoreFile: authorityFile, superUsers: SUPER_USERS },
  });
  const opened = new Map<string, Promise<TlsMaterial>>();
  const open = async (client: string): Promise<TlsMaterial> => {
    const material = await TlsMaterial.open(await authority.certificateOf(client), (error) => {
      throw error;
    });
    if (material === undefined) throw new Error('unreachable: three files were given');
    return material;
  };
  return {
    brokers: [broker.brokers],
    filesOf: (client) => authority.certificateOf(client),
    tlsOf: (client) => {
      const known = opened.get(client) ?? open(client);
      opened.set(client, known);
      return known;
    },
    stop: async () => {
      for (const material of opened.values()) (await material).close();
      await broker.stop();
      await authority.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
