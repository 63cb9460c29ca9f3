/** How many of our own samples each process must show; without metrics there are none. */
export type ExpectedMetrics = 'some' | 'none';

/** As on Kubernetes, and Prometheus's usual. */
export const SCRAPE_INTERVAL_MS = 15_000;
const OWN_SAMPLE = /^sluice_/m;

/** Asks processes for their metrics as Prometheus does, from the middle of the first interval on. */
export class Scraper {
  readonly #timers: NodeJS.Timeout[] = [];
  #scrapes: Promise<unknown> = Promise.resolve();
  #bytes = 0;

  constructor(
    private readonly addresses: readonly string[],
    private readonly intervalMs = SCRAPE_INTERVAL_MS,
  ) {}

  /** What all answers together had so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins. A run of whole intervals has as many scrapes as it has intervals. */
  start(): void {
    const again = (): void => {
      this.#scrapes = Promise.all([this.#scrapes, this.scrape('some')]);
      // Who waits for the end hears of it.
      this.#scrapes.catch(() => undefined);
    };
    const first = setTimeout(() => {
      again();
      this.#timers.push(setInterval(again, this.intervalMs));
    }, this.intervalMs / 2);
    this.#timers.push(first);
  }

  /** Ends; rejects when a scrape failed. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await this.#scrapes;
  }

  /** Asks each process once. */
  async scrape(expected: ExpectedMetrics): Promise<void> {
    await Promise.all(this.addresses.map((address) => this.#ask(address, expected)));
  }

  async #ask(address: string, expected: ExpectedMetrics): Promise<void> {
    const answer = await fetch(`${address}/metrics`, {
      headers: { accept: 'text/plain;version=0.0.4', 'accept-encoding': 'gzip' },
    });
    const text = await answer.text();
    this.#bytes += text.length;
    const found: ExpectedMetrics = OWN_SAMPLE.test(text) ? 'some' : 'none';
    if (answer.status === 200 && found === expected) return;
    throw new Error(
      `${address}/metrics answers ${answer.status} and shows ${found} of our metrics, not ${expected}.`,
    );
  }
}
