// Live directory servers for the specs of risk, each network with an authority of its own; no other file imports it.
import { type CertificateFiles, startTestAuthority, type TestAuthority } from '@sluice/testing';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AuthenticationServerSettings } from '../src/index.js';
import { type Certificates, FakeDirectory } from './directory-fixture.js';

/** The name in the certificate by which a network tells results. */
export const senderOf = (network: string): string => `${network}.results.example`;

export const networks = ['visa', 'mastercard'] as const;
type Network = (typeof networks)[number];

/** Directory servers of two networks, and what risk is told of them. */
export class LiveDirectories {
  private constructor(
    readonly servers: Readonly<Record<Network, FakeDirectory>>,
    private readonly authorities: Readonly<Record<Network, TestAuthority>>,
    readonly settings: Partial<AuthenticationServerSettings>,
    /** Of both networks, one after the other. */
    private readonly ca: string,
  ) {}

  static async start(): Promise<LiveDirectories> {
    const [visa, mastercard] = await Promise.all(networks.map(() => startTestAuthority()));
    if (visa === undefined || mastercard === undefined) throw new Error('There are two.');
    const authorities = { visa, mastercard };
    // Each knows ours by its own authority.
    const files = {
      visa: await visa.certificateOf('risk'),
      mastercard: await mastercard.certificateOf('risk'),
    };
    const servers = {
      visa: await FakeDirectory.start(await read(await visa.certificateOf('directory'))),
      mastercard: await FakeDirectory.start(
        await read(await mastercard.certificateOf('directory')),
      ),
    };
    const folder = dirname(files.visa.authorityFile);
    const all = join(folder, 'all-authorities.pem');
    const texts = networks.map((network) => readFile(files[network].authorityFile, 'utf8'));
    const ca = (await Promise.all(texts)).join('\n');
    await writeFile(all, ca);
    const file = join(folder, 'directory-servers.json');
    const entries = networks.map((network) => {
      const { url } = servers[network];
      const resultsFrom = [`spiffe://sluice/${senderOf(network)}`];
      return [network, { url, ...files[network], resultsFrom }] as const;
    });
    const told = { referenceNumber: 'REFERENCE', networks: Object.fromEntries(entries) };
    await writeFile(file, JSON.stringify(told));
    return new LiveDirectories(
      servers,
      authorities,
      {
        ...{ directoryServersFile: file, resultsAuthorityFile: all },
        resultsCertificateFile: files.visa.certificateFile,
        resultsKeyFile: files.visa.keyFile,
      },
      ca,
    );
  }

  /** A certificate with this name by the authority of a network. */
  async certificateOf(network: Network, name: string): Promise<Certificates> {
    return { ...(await read(await this.authorities[network].certificateOf(name))), ca: this.ca };
  }

  async close(): Promise<void> {
    for (const network of networks) {
      await this.servers[network].close();
      await this.authorities[network].remove();
    }
  }
}

async function read(files: CertificateFiles): Promise<Certificates> {
  const [cert, key, ca] = await Promise.all(
    [files.certificateFile, files.keyFile, files.authorityFile].map((file) =>
      readFile(file, 'utf8'),
    ),
  );
  return { cert: cert ?? '', key: key ?? '', ca: ca ?? '' };
}
