import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  base64Key,
  createLogger,
  databaseAddress,
  FileKeyProvider,
  TlsMaterial,
} from '@sluice/service';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { LEAF_DAYS } from './certificates.js';
import { leaves } from './leaves.js';
import { makeSecrets, secretFiles, type SecretsMade, type SecretsWish } from './secrets.js';
import { summaryOf } from './summary.js';

const from = new Date();
const logger = createLogger({ service: 'test', level: 'silent' });
const nothing = { owners: new Set<string>(), authorities: false };
let output: string;

beforeEach(async () => {
  output = join(await mkdtemp(join(tmpdir(), 'sluice-secrets-')), 'secrets');
});

afterEach(() => rm(join(output, '..'), { recursive: true }));

function make(wish: Partial<SecretsWish> = {}): Promise<SecretsMade> {
  return makeSecrets({ output, dummies: false, renewal: nothing, from, logger, ...wish });
}

async function contents(): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(output, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(output.length + 1), await readFile(path, 'utf8')] as const;
  });
  return new Map(await Promise.all(texts));
}

function read(file: string): Promise<string> {
  return readFile(join(output, file), 'utf8');
}

/** Names of files that are not the same any more. */
function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  return [...after].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
}

describe('the secrets of a new installation', () => {
  it('are all there, for their owner alone', async () => {
    const made = await make();
    const files = [...(await contents()).keys()];
    expect(files.filter((file) => !file.startsWith('authority/')).sort()).toEqual(secretFiles);
    expect([made.made, made.kept, made.renewed]).toEqual([files.length, 0, 0]);
    for (const file of files) {
      expect([file, ((await stat(join(output, file))).mode & 0o777).toString(8)]).toEqual([
        file,
        '600',
      ]);
    }
    for (const folder of ['', 'vault', 'vault/secrets', 'authority']) {
      expect((await stat(join(output, folder))).mode & 0o077).toBe(0);
    }
  });

  it('stay as they are when they are made again, and are closed again', async () => {
    await make();
    const before = await contents();
    await chmod(join(output, 'vault/secrets/vault-keys.json'), 0o644);
    const again = await make();
    expect(changed(before, await contents())).toEqual([]);
    expect([again.made, again.renewed]).toEqual([0, 0]);
    expect((await stat(join(output, 'vault/secrets/vault-keys.json'))).mode & 0o077).toBe(0);
  });

  it('are what the services read', async () => {
    await make();
    for (const file of ['vault/secrets/vault-keys.json', 'payments/secrets/payments-keys.json']) {
      const keys = await FileKeyProvider.open(join(output, file), { pollIntervalMs: 0 });
      expect(keys.currentVersion()).toBe('1');
    }
    for (const file of ['vault/secrets/fingerprint.key', 'edge/secrets/credential.key']) {
      expect(base64Key((await read(file)).trimEnd())).toHaveLength(32);
    }
    expect(await read('edge/secrets/credential.key')).toBe(
      await read('accounts/secrets/credential.key'),
    );
    expect(await read('operator/secrets/webhooks-keys.json')).toBe(
      await read('webhooks/secrets/webhooks-keys.json'),
    );
    const address = await read('payments/secrets/database-url');
    expect(databaseAddress(address.trimEnd())).toMatch(
      /^postgres:\/\/sluice_payments_app:[\w-]{32}@postgres\.sluice\.svc:5432\/sluice\?sslmode=verify-full&/,
    );
    expect(await read('operator/secrets/payments-database-url')).toBe(address);
    expect(await read('payments-relay/secrets/payments-database-url')).toBe(address);
    const owner = await read('operator/secrets/payments-owner-database-url');
    expect(new URL(owner).password).not.toBe(new URL(address).password);
    expect(JSON.parse(await read('accounts/secrets/seed.json'))).toEqual({ channels: [] });
    for (const owner of ['vault', 'checkouts']) {
      expect(JSON.parse(await read(`${owner}/secrets/wallets.json`))).toEqual({});
    }
    expect(JSON.parse(await read('risk/secrets/scorers.json'))).toEqual({});
  });

  it('lead the second cell to a database of its own, with the keys of the first', async () => {
    await make();
    const first = new URL(await read('payments/secrets/database-url'));
    const address = await read('payments-2/secrets/database-url');
    const second = new URL(address);
    expect([second.username, second.host]).toEqual([first.username, 'postgres-2.sluice.svc:5432']);
    expect(second.password).not.toBe(first.password);
    expect(await read('payments-relay-2/secrets/payments-database-url')).toBe(address);
    expect(await read('operator/secrets/payments-2-database-url')).toBe(address);
    for (const key of ['payments-keys.json', 'command-keys.json']) {
      expect(await read(`payments-2/secrets/${key}`)).toBe(await read(`payments/secrets/${key}`));
    }
    const owners = ['payments-owner-database-url', 'payments-2-owner-database-url'];
    const addresses = await Promise.all(owners.map((file) => read(`operator/secrets/${file}`)));
    expect(await read('operator/secrets/payments-cell-owner-database-urls')).toBe(
      addresses.join(''),
    );
    const admin = new URL(await read('operator/secrets/admin-2-database-url'));
    expect(admin.password).toBe((await read('postgres-2/secrets/admin-password')).trimEnd());
  });

  it('let reporting make its tables anew of the events of payments', async () => {
    await make();
    expect(await read('reporting/secrets/owner-database-url')).toBe(
      await read('operator/secrets/reporting-owner-database-url'),
    );
    const reader = await read('reporting/secrets/payments-reader-database-url');
    expect(new URL(reader).username).toBe('sluice_payments_reader');
    expect(await read('operator/secrets/payments-reader-database-url')).toBe(reader);
    const others = ['payments-database-url', 'payments-owner-database-url'];
    for (const file of others) {
      const { password } = new URL(await read(`operator/secrets/${file}`));
      expect(new URL(reader).password).not.toBe(password);
    }
  });

  it('have certificates that fit to their keys and name whose they are', async () => {
    await make();
    for (const { owner, authority, uris, dnsNames, files } of leaves) {
      const material = await TlsMaterial.open(
        {
          certificateFile: join(output, files.certificate),
          keyFile: join(output, files.key),
          authorityFile: join(output, files.authority[0] ?? ''),
        },
        () => undefined,
      );
      material?.close();
      const pem = await read(files.certificate);
      const certificate = new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERT')));
      expect(certificate.subject).toBe(`CN=${owner}`);
      const signer = new X509Certificate(await read(`authority/${authority}.crt`));
      expect(certificate.verify(signer.publicKey)).toBe(true);
      for (const name of [...uris, ...dnsNames]) {
        expect(certificate.subjectAltName).toContain(name);
      }
    }
  });

  it('let the vault’s callers find each of its instances by name', async () => {
    await make();
    const files = async (service: string) => ({
      cert: await read(`${service}/tls.crt`),
      key: await read(`${service}/tls.key`),
      ca: await read(`${service}/ca.crt`),
    });
    const server = createServer({ ...(await files('vault')), requestCert: true }, (socket) => {
      socket.on('error', () => undefined).end(socket.getPeerCertificate().subjectaltname ?? '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const place = { port, host: '127.0.0.1', servername: 'vault-1.vault' };
    const socket = connect({ ...place, ...(await files('payments')) });
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
    await once(socket, 'close');
    server.close();
    expect(heard).toMatch(/^URI:spiffe:\/\/sluice\/payments, DNS:payments,/);
  });
});

describe('what is to be renewed', () => {
  it('are the certificates of the one who is named, and nothing else', async () => {
    await make();
    const before = await contents();
    const renewed = await make({ renewal: { owners: new Set(['edge']), authorities: false } });
    expect(changed(before, await contents()).sort()).toEqual([
      'edge/kafka/user.crt',
      'edge/kafka/user.key',
      'edge/tls.crt',
      'edge/tls.key',
    ]);
    expect([renewed.renewed, renewed.made]).toEqual([4, 0]);
  });

  it('are with the authorities all certificates, but never keys and passwords', async () => {
    await make();
    const before = await contents();
    await make({ renewal: { owners: new Set(), authorities: true } });
    const same = [...before.keys()].filter((file) => !/\.(?:crt|key|pem)$/.test(file));
    const after = changed(before, await contents());
    expect(after.filter((file) => same.includes(file) || file.includes('/secrets/'))).toEqual([]);
    for (const { files } of leaves) expect(after).toContain(files.certificate);
  });

  it('is what has lost its key, or is of another authority', async () => {
    await make();
    const before = await contents();
    await rm(join(output, 'vault/tls.key'));
    await writeFile(join(output, 'reporting/tls.crt'), await read('reporting/kafka/user.crt'));
    await make();
    expect(changed(before, await contents()).sort()).toEqual([
      ...['reporting/tls.crt', 'reporting/tls.key', 'vault/tls.crt', 'vault/tls.key'],
    ]);
  });

  it('is said when a certificate ends soon, and nothing secret is', async () => {
    const made = await make();
    const later = new Date(from.getTime() + (LEAF_DAYS - 20) * 24 * 60 * 60 * 1_000);
    expect(summaryOf(output, made, from)).not.toContain('--renew');
    const text = summaryOf(output, made, later);
    expect(text).toContain('--renew edge');
    for (const [file, secret] of await contents()) {
      if (!file.endsWith('.json')) expect(text).not.toContain(secret.trim());
    }
  });
});

describe('a seed', () => {
  it('takes the place of the one before, which otherwise stays', async () => {
    const seed = '{"channels": [ ]}';
    await make();
    await make({ seed });
    expect(await read('accounts/secrets/seed.json')).toBe(seed);
    await make();
    expect(await read('accounts/secrets/seed.json')).toBe(seed);
  });
});

describe('the keys of wallets that somebody has written', () => {
  it('stay', async () => {
    await make();
    const wallets = '{"samsungPay":{"recipients":[]}}';
    await writeFile(join(output, 'vault/secrets/wallets.json'), wallets);
    await make();
    expect(await read('vault/secrets/wallets.json')).toBe(wallets);
  });
});

describe('worthless secrets', () => {
  it('have the same names, say what they are, and give way to real ones', async () => {
    await make({ dummies: true });
    const worthless = await contents();
    expect([...worthless.keys()].filter((file) => file !== 'WORTHLESS').sort()).toEqual(
      secretFiles,
    );
    expect(new Set(worthless.values()).size).toBe(1);
    await make();
    const real = await contents();
    expect(real.has('WORTHLESS')).toBe(false);
    expect([...real.values()].filter((text) => text.includes('worthless'))).toEqual([]);
  });

  it('are not mixed with real ones', async () => {
    await make();
    const before = await contents();
    await expect(make({ dummies: true })).rejects.toThrow('a folder of their own');
    expect(changed(before, await contents())).toEqual([]);
  });
});

describe('the local overlay', () => {
  it('reads no file that is not made', async () => {
    const overlay = new URL('../../../k8s/overlays/local/kustomization.yaml', import.meta.url);
    const lines = (await readFile(overlay, 'utf8')).split('\n').map((line) => line.trim());
    const named = lines.filter((line) => line.startsWith('- secrets/'));
    expect(named.length).toBeGreaterThan(0);
    const files = named.map((line) => line.slice('- secrets/'.length));
    expect(files.filter((file) => !secretFiles.includes(file))).toEqual([]);
  });
});
