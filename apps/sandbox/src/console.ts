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
 * One line per request: method, path, status, result code, milliseconds. Never waits for the
 * terminal or the pipe: when that is slower than the requests, lines are left out and counted.
 */
export class RequestConsole {
  #lines: string[] = [];
  #leftOut = 0;
  #blocked = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly sink: LineSink) {}

  /** Adds the line of one request. */
  print({ method, path, status, resultCode, durationMs }: RequestLine): void {
    if (this.#lines.length >= LINES_MAX) {
      this.#leftOut += 1;
      return;
    }
    this.#lines.push(`${method} ${path} ${status} ${resultCode} ${Math.round(durationMs)} ms\n`);
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, FLUSH_INTERVAL_MS).unref();
  }

  /** Writes what is gathered, unless the reader is behind. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#blocked || this.#lines.length === 0) return;
    const note = this.#leftOut === 0 ? '' : `… ${this.#leftOut} requests not shown …\n`;
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

/** The demo channel as the greeting needs it. */
export interface Demo {
  readonly entityId: string;
  readonly accessToken: string;
}

/** A validity that no start of the coming years finds expired. */
const VALID_YEARS = 8;

/** The first line says where; the rest can be copied as it is. */
export function greeting(url: string, demo: Demo, year: number): string {
  const fields = [
    `entityId=${demo.entityId}`,
    'paymentType=DB',
    'amount=92.00',
    'currency=EUR',
    'paymentBrand=VISA',
    'card.number=4200000000000000',
    "'card.holder=Jane Jones'",
    'card.expiryMonth=05',
    `card.expiryYear=${year + VALID_YEARS}`,
    'card.cvv=123',
  ];
  const access = `-H 'Authorization: Bearer ${demo.accessToken}'`;
  return [
    `Sluice is ready on ${url}`,
    '',
    `curl ${url}/v1/payments ${access} \\`,
    `  ${fields.map((field) => `-d ${field}`).join(' ')}`,
    '',
    'Give part of it back, with the id of that answer in place of ID:',
    '',
    `curl ${url}/v1/payments/ID ${access} \\`,
    `  -d entityId=${demo.entityId} -d paymentType=RF -d amount=10.00 -d currency=EUR`,
    '',
    '',
  ].join('\n');
}
