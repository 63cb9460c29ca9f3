import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The three files of one service, as `TlsMaterial.open` takes them. */
export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
}

/** An authority of a test's own, and the certificates that it has signed. */
export interface TestAuthority {
  /**
   * A certificate for `spiffe://sluice/<service>`, good for a server on 127.0.0.1 as well. Asked
   * again, it renews it in the same files.
   */
  certificateOf(service: string): Promise<CertificateFiles>;
  /** Deletes everything. */
  remove(): Promise<void>;
}

const VALID_DAYS = 2;
const LOOPBACK = ['127.0.0.1'];

/** Makes an authority. */
export async function startTestAuthority(): Promise<TestAuthority> {
  // Loaded here: most who import these fixtures need no certificate, and it is some 250 files.
  const { createAuthority, issueCertificate } = await import('@sluice/certificates');
  const folder = await mkdtemp(join(tmpdir(), 'sluice-certificates-'));
  const authorityFile = join(folder, 'authority.pem');
  const authority = await createAuthority({
    commonName: 'Sluice test authority',
    validDays: VALID_DAYS,
    from: new Date(),
  });
  await writeFile(authorityFile, authority.certificate);
  return {
    certificateOf: async (service) => {
      const files = {
        certificateFile: join(folder, `${service}.pem`),
        keyFile: join(folder, `${service}.key`),
        authorityFile,
      };
      const { certificate, key } = await issueCertificate(authority, {
        commonName: service,
        uris: [`spiffe://sluice/${service}`],
        addresses: LOOPBACK,
        validDays: VALID_DAYS,
        from: new Date(),
      });
      await writeFile(files.certificateFile, certificate);
      await writeFile(files.keyFile, key, { mode: 0o600 });
      return files;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
