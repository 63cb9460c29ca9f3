import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { SettingsError } from './settings.js';

/** The certificate, its key and the authority, as Node's TLS takes them. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Where the files are: all three, or none. */
export interface TlsPaths {
  readonly certificateFile?: string;
  readonly keyFile?: string;
  readonly authorityFile?: string;
}

/** Renewed certificates are used this long after they are written at the latest. */
const POLL_INTERVAL_MS = 10_000;

/**
 * Certificates for the calls between services, or for those of a service to Kafka. The files are looked at again by time, because
 * mounted secrets are swapped by a link, which file watchers miss; a set that does not fit together
 * is not taken over (D-55: renewed without a restart).
 */
export class TlsMaterial {
  readonly #listeners: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #current: TlsFiles;
  #stamp: string;

  private constructor(
    private readonly paths: readonly [string, string, string],
    private readonly onProblem: (error: Error) => void,
    current: TlsFiles,
    stamp: string,
  ) {
    this.#current = current;
    this.#stamp = stamp;
    this.#timer = setInterval(() => void this.reload(), POLL_INTERVAL_MS).unref();
  }

  /**
   * Undefined without settings; throws SettingsError when they are not usable. The variables with
   * the paths begin with `variables`.
   */
  static async open(
    { certificateFile, keyFile, authorityFile }: TlsPaths,
    onProblem: (error: Error) => void,
    variables = 'TLS',
  ): Promise<TlsMaterial | undefined> {
    if (certificateFile === undefined && keyFile === undefined && authorityFile === undefined) {
      return undefined;
    }
    if (certificateFile === undefined || keyFile === undefined || authorityFile === undefined) {
      throw new SettingsError(
        `${variables}_CERTIFICATE_FILE, ${variables}_KEY_FILE and ${variables}_AUTHORITY_FILE must be ` +
          'set together.',
      );
    }
    const paths = [certificateFile, keyFile, authorityFile] as const;
    try {
      const stamp = await stampOf(paths);
      return new TlsMaterial(paths, onProblem, await readFiles(paths), stamp);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new SettingsError(
        `The files of ${variables}_CERTIFICATE_FILE, ${variables}_KEY_FILE and ` +
          `${variables}_AUTHORITY_FILE cannot be used (${code ?? 'malformed'}).`,
      );
    }
  }

  /** As last read. */
  get current(): TlsFiles {
    return this.#current;
  }

  /** Calls back after every change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Looks at the files now. */
  async reload(): Promise<void> {
    try {
      const stamp = await stampOf(this.paths);
      if (stamp === this.#stamp) return;
      this.#current = await readFiles(this.paths);
      this.#stamp = stamp;
      for (const listener of this.#listeners) listener();
    } catch (error) {
      this.onProblem(error as Error);
    }
  }

  /** Stops looking at the files. */
  close(): void {
    clearInterval(this.#timer);
  }
}

async function stampOf(paths: readonly string[]): Promise<string> {
  const found = await Promise.all(paths.map((path) => stat(path)));
  return found.map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`).join();
}

async function readFiles(paths: readonly [string, string, string]): Promise<TlsFiles> {
  const [cert, key, ca] = await Promise.all([
    readFile(paths[0], 'utf8'),
    readFile(paths[1], 'utf8'),
    readFile(paths[2], 'utf8'),
  ]);
  const files = { cert, key, ca };
  // Throws when key and certificate do not belong together, as between two writes of a renewal.
  createSecureContext(files);
  return files;
}
