import { spawn } from 'node:child_process';

/** Other programs as this one needs them: docker, kubectl and so on. */
export interface Programs {
  /** Runs one to its end and gives what it wrote. Throws ProgramMissing or ProgramFailed. */
  run(file: string, words: readonly string[], options?: RunOptions): Promise<string>;
}

/** How one is run. */
export interface RunOptions {
  readonly folder?: string;
  /** Added to the environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** It only asks, so it may be run again when it fails. */
  readonly changesNothing?: boolean;
}

/** The program is not on this machine. */
export class ProgramMissing extends Error {
  override readonly name = 'ProgramMissing';

  constructor(readonly file: string) {
    super(`The program ${file} is not on this machine.`);
  }
}

/** The program ended with another code than 0. The message ends with what it said last. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';

  constructor(
    readonly file: string,
    words: readonly string[],
    /** The last lines of what it wrote. */
    readonly lastLines: string,
  ) {
    super(`This failed: ${[file, ...words].join(' ')}\n${lastLines}`);
  }
}

/** What a program wrote matters at its end; more than this much of it nobody reads. */
const SHOWN_LINES_MAX = 30;
/** The list of everything in the namespace is some hundred kilobytes. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** The programs of this machine; those under way are ended when `signal` is aborted. */
export class LocalPrograms implements Programs {
  constructor(private readonly signal: AbortSignal) {}

  run(file: string, words: readonly string[], options: RunOptions = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const output: Buffer[] = [];
      const errors: Buffer[] = [];
      let bytes = 0;
      const child = spawn(file, words, {
        cwd: options.folder,
        env: { ...process.env, ...options.environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        signal: this.signal,
      });
      const keepIn = (chunks: Buffer[]) => (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= OUTPUT_BYTES_MAX) chunks.push(chunk);
      };
      child.stdout.on('data', keepIn(output));
      child.stderr.on('data', keepIn(errors));
      child.on('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'ENOENT' ? new ProgramMissing(file) : error);
      });
      child.on('close', (code) => {
        const said = Buffer.concat(output).toString('utf8');
        if (code === 0) resolve(said);
        else reject(new ProgramFailed(file, words, lastLinesOf([...output, ...errors])));
      });
    });
  }
}

function lastLinesOf(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).toString('utf8').trimEnd();
  return text.split('\n').slice(-SHOWN_LINES_MAX).join('\n');
}

/** Whether a program is there and answers `--version` or the like. */
export async function isThere(
  programs: Programs,
  file: string,
  words: readonly string[],
): Promise<boolean> {
  try {
    await programs.run(file, words);
    return true;
  } catch (error) {
    if (error instanceof ProgramMissing || error instanceof ProgramFailed) return false;
    throw error;
  }
}
