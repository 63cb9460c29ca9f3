import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The three files of one service, as `TlsMaterial.open` takes them. */
export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
}

/** An authority of a test's own, and the certificates that it has signed. */
export interface TestAuthority {
  /** A certificate for `spiffe://sluice/<service>`, good for a server on 127.0.0.1 as well. */
  certificateOf(service: string): Promise<CertificateFiles>;
  /** Deletes everything. */
  remove(): Promise<void>;
}

const DAYS = '2';

/** Makes an authority with the command `openssl`; throws a sentence where there is none. */
export async function startTestAuthority(): Promise<TestAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-certificates-'));
  const authorityFile = join(folder, 'authority.pem');
  const authorityKeyFile = join(folder, 'authority.key');
  await openssl(
    'req',
    '-x509',
    ...newKey(authorityKeyFile),
    '-out',
    authorityFile,
    '-days',
    DAYS,
    '-subj',
    '/CN=Sluice test authority',
  );
  return {
    certificateOf: async (service) => {
      const files = {
        certificateFile: join(folder, `${service}.pem`),
        keyFile: join(folder, `${service}.key`),
        authorityFile,
      };
      const requestFile = join(folder, `${service}.csr`);
      const namesFile = join(folder, `${service}.names`);
      await writeFile(namesFile, `subjectAltName=URI:spiffe://sluice/${service},IP:127.0.0.1\n`);
      await openssl(
        'req',
        ...newKey(files.keyFile),
        '-out',
        requestFile,
        '-subj',
        `/CN=${service}`,
      );
      await openssl(
        'x509',
        '-req',
        '-in',
        requestFile,
        '-CA',
        authorityFile,
        '-CAkey',
        authorityKeyFile,
        '-CAcreateserial',
        '-extfile',
        namesFile,
        '-out',
        files.certificateFile,
        '-days',
        DAYS,
      );
      return files;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Elliptic keys: an RSA one takes longer than all the rest of a test. */
function newKey(keyFile: string): string[] {
  return [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    keyFile,
  ];
}

async function openssl(...arguments_: string[]): Promise<void> {
  await run('openssl', arguments_).catch((error: unknown) => {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    throw code === 'ENOENT'
      ? new Error('The command openssl is needed for this test: apt-get install openssl.')
      : new Error(`openssl failed: ${stderr ?? ''}`);
  });
}
