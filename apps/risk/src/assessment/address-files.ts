import {
  type AddressData,
  type AddressFacts,
  addressFiles,
  rangeFault,
  type RangeSet,
  rangeSet,
} from '@sluice/domain-risk';
import type { Logger } from '@sluice/service';
import { Reader, type Response } from 'mmdb-lib';
import { readFile, stat } from 'node:fs/promises';

/** A table of the whole world has 8 to 10 MB. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Read in half a second, for which payments wait; lists of data centres and VPNs have some ten thousand. */
const RANGES_MAX = 200_000;
const COUNTRY = /^[A-Z]{2}$/;

/** Which files there are; each may be absent. */
export interface AddressFilePaths {
  /** MaxMind DB. */
  readonly countries?: string | undefined;
  /** Text: an address or a range in each line. */
  readonly proxies?: string | undefined;
}

/** What a file says of an address. */
type LookUp = (ip: string) => AddressFacts;

/** A file that was read. */
interface OpenFile {
  readonly stamp: string;
  /** When what it says was so, milliseconds since the epoch. */
  readonly builtAtMs: number;
  readonly lookUp: LookUp;
}

interface Source {
  readonly path: string;
  readonly read: (bytes: Buffer, changedAtMs: number) => Omit<OpenFile, 'stamp'>;
  open?: OpenFile;
  /** Of a newer file that could not be read. */
  refusedStamp?: string;
}

/** Thrown where a file cannot be used; the message says which and why. */
export class AddressFileRefused extends Error {
  override readonly name = 'AddressFileRefused';
}

/** What an operator's files say of addresses. A file that is replaced is read again. */
export class AddressFiles {
  readonly #sources = new Map<AddressData, Source>();

  constructor(
    { countries, proxies }: AddressFilePaths,
    private readonly logger: Pick<Logger, 'error' | 'info'>,
  ) {
    if (countries !== undefined) {
      this.#sources.set('countries', { path: countries, read: readCountries });
    }
    if (proxies !== undefined) this.#sources.set('proxies', { path: proxies, read: readProxies });
  }

  /** Reads all of them. @throws AddressFileRefused for the first that cannot be used */
  async open(): Promise<void> {
    for (const [kind, source] of this.#sources) await this.#read(kind, source);
  }

  /** Reads what was replaced; one that cannot be used is logged, and the one before it stays. */
  async refresh(): Promise<void> {
    for (const [kind, source] of this.#sources) {
      try {
        await this.#read(kind, source);
      } catch (error) {
        if (!(error instanceof AddressFileRefused)) throw error;
        this.logger.error({ reason: error.message }, 'A file about addresses stays as it was.');
      }
    }
  }

  /** What is known, and since when. */
  get known(): ReadonlyMap<AddressData, { readonly builtAtMs: number }> {
    return new Map(
      [...this.#sources].flatMap(([kind, { open }]) => (open ? [[kind, open] as const] : [])),
    );
  }

  /** What they say of an address. */
  readonly lookUp: LookUp = (ip) =>
    [...this.#sources.values()].reduce<AddressFacts>(
      (facts, { open }) => ({ ...facts, ...open?.lookUp(ip) }),
      {},
    );

  async #read(kind: AddressData, source: Source): Promise<void> {
    const refuse = (reason: string) =>
      new AddressFileRefused(`${addressFiles[kind].variable} names a file that ${reason}.`);
    const unreadable = (error: unknown) =>
      refuse(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
    const found = await stat(source.path).catch((error: unknown) => {
      throw unreadable(error);
    });
    const stamp = `${found.ino} ${found.mtimeMs} ${found.size}`;
    if (stamp === source.open?.stamp || stamp === source.refusedStamp) return;
    source.refusedStamp = stamp;
    if (found.size > FILE_BYTES_MAX) throw refuse('is larger than 256 MiB');
    const bytes = await readFile(source.path).catch((error: unknown) => {
      throw unreadable(error);
    });
    source.open = { stamp, ...readWith(source, bytes, found.mtimeMs, refuse) };
    const { builtAtMs } = source.open;
    this.logger.info({ kind, builtAt: new Date(builtAtMs).toISOString() }, 'A file is read.');
  }
}

function readWith(
  { read }: Source,
  bytes: Buffer,
  changedAtMs: number,
  refuse: (reason: string) => AddressFileRefused,
): Omit<OpenFile, 'stamp'> {
  try {
    return read(bytes, changedAtMs);
  } catch (error) {
    throw refuse(error instanceof Fault ? error.message : 'is no MaxMind DB');
  }
}

/** What is wrong with the content of a file. */
class Fault extends Error {}

/** As MaxMind and DB-IP write it, or as lists of countries alone do. */
interface CountryRecord {
  readonly country?: { readonly iso_code?: unknown };
  readonly country_code?: unknown;
}

function readCountries(bytes: Buffer): Omit<OpenFile, 'stamp'> {
  const reader = new Reader<Response>(bytes);
  return {
    builtAtMs: reader.metadata.buildEpoch.getTime(),
    lookUp: (ip) => {
      const code = countryIn(reader, ip);
      return typeof code === 'string' && COUNTRY.test(code) ? { ipCountry: code } : {};
    },
  };
}

/** A text that is no address is in no country. */
function countryIn(reader: Reader<Response>, ip: string): unknown {
  try {
    const found = reader.get(ip) as CountryRecord | null;
    return found?.country?.iso_code ?? found?.country_code;
  } catch {
    return undefined;
  }
}

function readProxies(bytes: Buffer, changedAtMs: number): Omit<OpenFile, 'stamp'> {
  const ranges = rangesIn(bytes.toString('utf8'));
  return { builtAtMs: changedAtMs, lookUp: (ip) => ({ isProxy: ranges.has(ip) }) };
}

/** One in each line; what comes after # is a remark. */
function rangesIn(text: string): RangeSet {
  const ranges: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const range = (line.split('#')[0] ?? '').trim();
    if (range === '') continue;
    const fault = rangeFault(range);
    if (fault !== undefined) throw new Fault(`is wrong in line ${String(index + 1)}: it ${fault}`);
    if (ranges.length >= RANGES_MAX) throw new Fault(`has more than ${String(RANGES_MAX)} ranges`);
    ranges.push(range);
  }
  if (ranges.length === 0) throw new Fault('has no range');
  return rangeSet(ranges);
}
