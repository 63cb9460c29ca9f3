import { type AuthenticationNetwork, authenticationNetworks } from '@sluice/contracts';
import { messageCharactersMax } from '@sluice/domain-three-d-secure';
import {
  HttpClient,
  type HttpRequest,
  type HttpResult,
  type Logger,
  SettingsError,
  TlsMaterial,
} from '@sluice/service';
import { readFile } from 'node:fs/promises';
import type { X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { ContentAuthorities } from './content-authorities.js';
import { authoritiesIn, isOneOf } from './result-senders.js';

/** A directory server, and who our server is to it. */
export interface DirectoryServer {
  readonly network: AuthenticationNetwork;
  readonly isLive: boolean;
  /** The number under which EMVCo approved our server. */
  readonly referenceNumber: string;
  readonly operatorId?: string;
  /** Who signs what issuers tell apps; absent: it is passed on unread, and the SDK alone checks it. */
  readonly contentAuthorities?: ContentAuthorities;
}

interface Reached extends DirectoryServer {
  readonly url: URL;
  readonly tls?: TlsMaterial;
  /** The names in the certificates by which its results come. */
  readonly resultsFrom: readonly string[];
}

/** What the file of live directory servers says of one. */
interface FileEntry {
  readonly url: string;
  readonly operatorId?: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
  readonly resultsFrom: readonly string[];
  readonly contentAuthorityFile?: string;
}

/** As services are named among each other. */
const OF_SIMULATOR = ['spiffe://sluice/simulator'];
/** A network has a few, as while it changes them. */
const SENDERS_MAX = 10;
/** Who our server is to the simulator, which asks nobody for an approval. */
const TEST_REFERENCE_NUMBER = 'SLUICE-TEST';
/** As EMV has it for AReq; a directory server that is asked for ranges may take longer. */
export const ANSWER_WITHIN_MS = 10_000;
const RANGES_WITHIN_MS = 60_000;
/** What comes back says nothing. */
const ERROR_WITHIN_MS = 3_000;
const ANSWER_TO_ERROR_BYTES_MAX = 8_192;
const CONNECT_WITHIN_MS = 3_000;
const CONNECTIONS_MAX = 32;

/** Where directory servers are, for a start of risk. */
export interface DirectoryServersOptions {
  /** Of the simulator. */
  readonly testUrl?: string | undefined;
  /** The file of the live ones. */
  readonly file?: string | undefined;
  /** Our certificate for the simulator. */
  readonly tls?: TlsMaterial | undefined;
  readonly logger: Pick<Logger, 'error'>;
}

/** The directory servers of the card networks, by mutual TLS (Interface 2.17). */
export class DirectoryServers {
  readonly #clients = new Map<string, HttpClient>();

  private constructor(
    readonly all: readonly DirectoryServer[],
    private readonly reached: readonly Reached[],
  ) {}

  /** @throws SettingsError for a file that cannot be used, in words */
  static async open({ testUrl, file, tls, logger }: DirectoryServersOptions) {
    const test = testUrl === undefined ? [] : authenticationNetworks.map(ofSimulator(testUrl, tls));
    const live = file === undefined ? [] : await liveServers(file, logger);
    const reached = [...test, ...live];
    return new DirectoryServers(reached.map(described), reached);
  }

  /** Undefined where none is configured. */
  of(network: AuthenticationNetwork, isLive: boolean): DirectoryServer | undefined {
    return this.all.find((one) => one.network === network && one.isLive === isLive);
  }

  /**
   * Whether results of its authentications may come with this certificate: a network ends no challenge of another
   * one, and no test a live one. Without TLS there is none, and only the simulator is on this machine.
   */
  mayTell(
    { network, isLive }: Pick<DirectoryServer, 'isLive' | 'network'>,
    certificate: X509Certificate | undefined,
  ): boolean {
    const its = this.#reached({ network, isLive });
    if (its === undefined) return false;
    if (certificate === undefined) return !isLive;
    const authorities = isLive ? its.tls?.current.ca : undefined;
    if (isLive && authorities === undefined) return false;
    const names = its.resultsFrom;
    return isOneOf(certificate, { names, ...(authorities !== undefined && { authorities }) });
  }

  /** Asks for an authentication, once: a request that was lost may have been answered. */
  authenticate(server: DirectoryServer, body: string): Promise<HttpResult> {
    return this.#post(server, body, {
      timeoutMs: ANSWER_WITHIN_MS,
      answerBytesMax: messageCharactersMax.ARes,
    });
  }

  /** Asks for card ranges. */
  ranges(server: DirectoryServer, body: string): Promise<HttpResult> {
    return this.#post(server, body, {
      timeoutMs: RANGES_WITHIN_MS,
      answerBytesMax: messageCharactersMax.PRes,
    });
  }

  /** Tells what was wrong with an answer (Erro). */
  tell(server: DirectoryServer, body: string): Promise<HttpResult> {
    return this.#post(server, body, {
      timeoutMs: ERROR_WITHIN_MS,
      answerBytesMax: ANSWER_TO_ERROR_BYTES_MAX,
    });
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    for (const { isLive, tls } of this.reached) if (isLive) tls?.close();
  }

  #post(
    server: DirectoryServer,
    body: string,
    limits: Pick<HttpRequest, 'answerBytesMax' | 'timeoutMs'>,
  ): Promise<HttpResult> {
    const reached = this.#reached(server);
    if (reached === undefined) throw new Error(`There is no server of ${server.network}.`);
    const { url } = reached;
    return this.#clientOf(reached).send({
      ...{ method: 'POST', path: `${url.pathname}${url.search}`, body, ...limits },
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  }

  #reached({ network, isLive }: Pick<DirectoryServer, 'isLive' | 'network'>) {
    return this.reached.find((one) => one.network === network && one.isLive === isLive);
  }

  #clientOf({ url: { origin }, tls, network, isLive }: Reached): HttpClient {
    const key = `${network} ${String(isLive)}`;
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const client = new HttpClient({
      ...{ origin, connectionsMax: CONNECTIONS_MAX, connectTimeoutMs: CONNECT_WITHIN_MS },
      ...(tls && { tls }),
    });
    this.#clients.set(key, client);
    return client;
  }
}

function described({ url: _, tls: _tls, ...server }: Reached): DirectoryServer {
  return server;
}

function ofSimulator(testUrl: string, tls: TlsMaterial | undefined) {
  return (network: AuthenticationNetwork): Reached => ({
    ...{ network, isLive: false, referenceNumber: TEST_REFERENCE_NUMBER },
    resultsFrom: OF_SIMULATOR,
    url: new URL(`${testUrl.replace(/\/$/u, '')}/3ds/${network}`),
    ...(tls && { tls }),
  });
}

async function liveServers(file: string, logger: Pick<Logger, 'error'>): Promise<Reached[]> {
  const { referenceNumber, networks } = await read(file);
  const folder = dirname(file);
  return Promise.all(
    Object.entries(networks).map(async ([network, entry]) => {
      const paths = {
        certificateFile: resolve(folder, entry.certificateFile),
        keyFile: resolve(folder, entry.keyFile),
        authorityFile: resolve(folder, entry.authorityFile),
      };
      const onProblem = (error: Error): void =>
        logger.error({ err: error, network }, 'Certificates of a directory server are not usable.');
      const tls = await TlsMaterial.open(paths, onProblem, 'RISK_DIRECTORY_SERVERS_FILE');
      const { operatorId, resultsFrom } = entry;
      if (tls !== undefined && authoritiesIn(tls.current.ca) === undefined) {
        throw refused(`needs certificates in "authorityFile" at "${network}"`);
      }
      return {
        resultsFrom,
        ...{ network: network as AuthenticationNetwork, isLive: true, referenceNumber },
        ...{ url: new URL(entry.url), ...(tls && { tls }) },
        ...(operatorId !== undefined && { operatorId }),
        ...(await contentAuthoritiesOf(folder, network, entry)),
      };
    }),
  );
}

/** Read once: the authorities of a network last for decades. */
async function contentAuthoritiesOf(
  folder: string,
  network: string,
  { contentAuthorityFile: file }: FileEntry,
): Promise<Pick<DirectoryServer, 'contentAuthorities'>> {
  if (file === undefined) return {};
  try {
    const pem = await readFile(resolve(folder, file), 'utf8');
    return { contentAuthorities: ContentAuthorities.of(pem) };
  } catch {
    throw refused(`needs certificates in the "contentAuthorityFile" of "${network}"`);
  }
}

interface ServersFile {
  readonly referenceNumber: string;
  readonly networks: Readonly<Record<string, FileEntry>>;
}

const REFERENCE_CHARACTERS_MAX = 32;

async function read(file: string): Promise<ServersFile> {
  let said: unknown;
  try {
    said = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refused(`cannot be read (${code ?? 'no JSON'})`);
  }
  const { referenceNumber, networks } = asObject(said, 'is not an object');
  if (!isText(referenceNumber) || referenceNumber.length > REFERENCE_CHARACTERS_MAX) {
    throw refused('needs "referenceNumber", the number under which EMVCo approved this server');
  }
  const entries = Object.entries(asObject(networks, 'needs "networks"'));
  for (const [network, entry] of entries) assertEntry(network, entry);
  return said as ServersFile;
}

function assertEntry(network: string, entry: unknown): void {
  if (!authenticationNetworks.some((name) => name === network)) {
    throw refused(`names "${network}", which is none of ${authenticationNetworks.join(', ')}`);
  }
  const fields = asObject(entry, `needs an object at "${network}"`);
  const { url, certificateFile, keyFile, authorityFile, contentAuthorityFile, resultsFrom } =
    fields;
  const isReached = isText(url) && URL.canParse(url) && new URL(url).protocol === 'https:';
  if (!isReached) throw refused(`needs an https address, "url", at "${network}"`);
  if (contentAuthorityFile !== undefined && !isText(contentAuthorityFile)) {
    throw refused(`needs the name of a file as "contentAuthorityFile" at "${network}"`);
  }
  if (![certificateFile, keyFile, authorityFile].every(isText)) {
    throw refused(`needs "certificateFile", "keyFile" and "authorityFile" at "${network}"`);
  }
  const areNamed =
    Array.isArray(resultsFrom) &&
    resultsFrom.length > 0 &&
    resultsFrom.length <= SENDERS_MAX &&
    resultsFrom.every(isText);
  if (!areNamed) {
    const what = 'the names in the certificates by which its results come';
    throw refused(`needs "resultsFrom", 1 to ${String(SENDERS_MAX)} of ${what}, at "${network}"`);
  }
}

function asObject(value: unknown, fault: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw refused(fault);
  return value as Readonly<Record<string, unknown>>;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function refused(fault: string): SettingsError {
  return new SettingsError(`RISK_DIRECTORY_SERVERS_FILE ${fault}.`);
}
