import type { Client } from 'pg';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answersTo, type BankEvidence, type BankOrder, ordersIn, returnsOf } from './bank-files.js';
import { withClient } from './gateway-side.js';
import { after, seconds } from './times.js';

const LOOK_EVERY_MS = 200;
const SETTLED_WITHIN_MS = 60_000;
/** What moves from one place to the next is seen in one of them by one of so many looks. */
const QUIET_LOOKS = 5;

/** What sepa has still to do: orders that no file has, files not written, returns not reported. */
const LEFT_TO_DO = `
  SELECT (SELECT count(*)::int FROM sepa.orders WHERE state = 'waiting') AS waiting,
         (SELECT count(*)::int FROM sepa.files WHERE written_at IS NULL) AS unwritten,
         (SELECT count(*)::int FROM sepa.orders
          WHERE chargeback_id IS NOT NULL AND reported_at IS NULL) AS unreported`;
/** The one case that is nobody's mistake: the bank took a debit back while its refund waited. */
const REFUND_WITHHELD = 'refundWithheld';
const CASES = 'SELECT kind, reference FROM sepa.cases ORDER BY id';

/**
 * A bank that takes files for as long as a run lasts: it moves each away, as whoever brings them to a
 * bank is told to, and answers at once what it rejects and what comes back.
 */
export class TestBank {
  readonly #outgoing: string;
  readonly #incoming: string;
  readonly #taken: string;
  /** What it was sent, by the id of its message. */
  readonly #messages = new Map<string, string>();
  readonly #orders: BankOrder[] = [];
  readonly #complaints: string[] = [];
  #files = 0;
  #isEnding = false;
  #running: Promise<void> = Promise.resolve();

  /** @param folder where sepa has its files */
  constructor(folder: string) {
    this.#outgoing = join(folder, 'outgoing');
    this.#incoming = join(folder, 'incoming');
    this.#taken = join(folder, 'taken');
  }

  /** Begins to look for files. */
  start(): void {
    this.#running = this.#work();
    // Whoever settles with it meets what went wrong.
    this.#running.catch(() => undefined);
  }

  /** Looks for no more files, whatever is left. */
  stop(): void {
    this.#isEnding = true;
  }

  /**
   * Waits until every order is in a file, every file is here, and everything that came back is recorded;
   * then says what the bank knows. Throws when that takes too long. Payments must be settled before.
   */
  async settled(url: string): Promise<BankEvidence> {
    const done = withClient(url, (client) => this.#untilDone(client));
    await Promise.race([done, this.#running]);
    this.stop();
    await this.#running;
    const { rows } = await withClient(url, (client) =>
      client.query<{ kind: string; reference: string | null }>(CASES),
    );
    const withheld = rows.flatMap(({ kind, reference }) =>
      kind === REFUND_WITHHELD && reference !== null ? [reference] : [],
    );
    const cases = rows
      .filter(({ kind }) => kind !== REFUND_WITHHELD)
      .map(({ kind, reference }) => `a case: ${kind} of ${String(reference)}`);
    const refused = await namesIn(join(this.#incoming, 'refused'));
    const complaints = [
      ...this.#complaints,
      ...cases,
      ...refused.map((name) => `a file of the bank was refused: ${name}`),
    ];
    return { orders: this.#orders, returns: returnsOf(this.#orders), withheld, complaints };
  }

  async #work(): Promise<void> {
    await mkdir(this.#taken, { recursive: true });
    while (!this.#isEnding) {
      await this.#look();
      await after(LOOK_EVERY_MS, () => Promise.resolve());
    }
  }

  async #look(): Promise<void> {
    const names = (await namesIn(this.#outgoing)).filter((name) => name.endsWith('.xml'));
    for (const name of names.sort()) {
      this.#files += 1;
      const taken = join(this.#taken, `${String(this.#files).padStart(5, '0')}-${name}`);
      await rename(join(this.#outgoing, name), taken);
      await this.#take(await readFile(taken, 'utf8'));
    }
  }

  /** A message that was taken away before sepa had noted it comes again, and counts once. */
  async #take(text: string): Promise<void> {
    const orders = ordersIn(text);
    const messageId = orders[0]?.messageId ?? '';
    const known = this.#messages.get(messageId);
    if (known !== undefined) {
      if (known !== text) this.#complaints.push(`${messageId} came again and says something else`);
      return;
    }
    this.#messages.set(messageId, text);
    this.#orders.push(...orders);
    for (const [index, answer] of answersTo(orders).entries()) {
      const name = `${messageId}-${index}.xml`;
      await writeFile(join(this.#incoming, `.${name}`), answer, { mode: 0o600 });
      await rename(join(this.#incoming, `.${name}`), join(this.#incoming, name));
    }
  }

  async #untilDone(client: Client): Promise<void> {
    const startedAt = performance.now();
    let quiet = 0;
    for (;;) {
      const left = await this.#left(client);
      quiet = left === '' ? quiet + 1 : 0;
      if (quiet === QUIET_LOOKS) return;
      const tookMs = performance.now() - startedAt;
      if (left !== '' && tookMs > SETTLED_WITHIN_MS)
        throw new Error(`${left} after ${seconds(tookMs)}`);
      await after(LOOK_EVERY_MS, () => Promise.resolve());
    }
  }

  async #left(client: Client): Promise<string> {
    const { rows } = await client.query<Record<string, number>>(LEFT_TO_DO);
    const untaken = (await namesIn(this.#outgoing)).length;
    const unread = (await namesIn(this.#incoming)).filter((name) => /^[^.].*\.xml$/u.test(name));
    const counts = { ...rows[0], untaken, unread: unread.length };
    return Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `sepa: ${count} ${name}`)
      .join(', ');
  }
}

/** None before sepa has made the folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  });
}
