/** What one finished request looks like on the console. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly resultCode: string;
  readonly durationMs: number;
}

/** Where lines go: standard output, or a list in a spec. */
export interface LineSink {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/** Gathered this long, so that a thousand requests a second cost a few writes. */
const FLUSH_INTERVAL_MS = 50;
/** Waiting lines when nobody reads; more are counted instead of kept. */
const LINES_MAX = 10_000;

/**
 * Writes lines as they come, above all one per request. Never waits for the terminal or the pipe:
 * when that is slower than the requests, lines are left out and counted.
 */
export class LineConsole {
  #lines: string[] = [];
  #leftOut = 0;
  #blocked = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly sink: LineSink) {}

  /** Adds the line of one request. */
  print(request: RequestLine): void {
    this.printLine(requestLine(request));
  }

  /** Adds any other line. */
  printLine(text: string): void {
    if (this.#lines.length >= LINES_MAX) {
      this.#leftOut += 1;
      return;
    }
    this.#lines.push(`${text}\n`);
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, FLUSH_INTERVAL_MS).unref();
  }

  /** Writes what is gathered, unless the reader is behind. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#blocked || this.#lines.length === 0) return;
    const note = this.#leftOut === 0 ? '' : `… ${this.#leftOut} lines not shown …\n`;
    const text = this.#lines.join('') + note;
    this.#lines = [];
    this.#leftOut = 0;
    if (this.sink.write(text)) return;
    this.#blocked = true;
    this.sink.once('drain', () => {
      this.#blocked = false;
      this.flush();
    });
  }
}

/** Method, path, status, result code, milliseconds. */
export function requestLine(request: RequestLine): string {
  const { method, path, status, resultCode, durationMs } = request;
  return `${method} ${path} ${status} ${resultCode} ${Math.round(durationMs)} ms`;
}
