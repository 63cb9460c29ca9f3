import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readFile } from 'node:fs/promises';
import { HostLink, type LinkEnd, type WireFormat } from './host-link.js';
import { type Message, pack } from './message-format.js';
import { isAbout, keyOf } from './transaction-answer.js';

/** How TLS proves who is who. Files are read for each connection, so that renewed ones are used. */
export interface TlsFiles {
  /** Whose certificates are believed; absent: those of the system. */
  readonly authorityFile?: string;
  readonly certificateFile?: string;
  readonly keyFile?: string;
}

/** Where the host is, and how it is spoken to. */
export interface HostAddress extends WireFormat {
  readonly host: string;
  readonly port: number;
  /** Absent: without TLS. */
  readonly tls?: TlsFiles;
  /** In place of the system's way to look up names. */
  readonly lookup?: LookupFunction;
  /** A connection over which nothing came for so long is asked for an echo. Default 30 s. */
  readonly echoAfterMs?: number;
}

/** One message that is to be sent, once. */
export interface Exchange {
  readonly message: Message;
  readonly timeoutMs: number;
  /** On the clock of `performance.now()`; absent: until the time is over. */
  readonly beginByMs?: number;
  readonly signal?: AbortSignal;
  /** The same message may have been sent before: an undo, which is repeated at will. */
  readonly isRepeatable?: true;
}

/** What became of it. */
export type ExchangeResult =
  /** The answer is about the message in everything that names it. */
  | { readonly kind: 'answered'; readonly answer: Message }
  /** Not one byte has left. */
  | { readonly kind: 'notSent'; readonly reason: 'notReachable' | 'givenUp' | 'tooLate' }
  | { readonly kind: 'lost'; readonly reason: 'timeout' | LinkEnd };

/** How long connecting may take, TLS included. */
const CONNECT_WITHIN_MS = 5_000;
/** After the first failure; each further one doubles it. */
const RETRY_AFTER_MS = 100;
/** An acquirer that comes back is found again within this. */
const RETRY_AFTER_MS_MAX = 10_000;
/** Less than firewalls and hosts, which forget or close what is silent for minutes. */
const ECHO_AFTER_MS = 30_000;
/** How many keys are remembered, to tell late and second answers from foreign ones. */
const KEYS_MAX = 10_000;
/** How long a goodbye may take. */
const GOODBYE_WITHIN_MS = 500;

/** One that waits to be sent, or for its answer. */
interface Pending extends Exchange {
  readonly key: string;
  readonly packed: Buffer;
  /** By `performance.now()`; absent while it waits to be sent. */
  sentMs?: number;
  settle(result: ExchangeResult): void;
}

/**
 * The one connection to the host, shared by all calls: answers find their calls by their keys, in any
 * order. It is opened by the first call and reopened whenever it is lost. A call is written to a
 * connection that the host has let in, or not at all.
 */
export class HostConnection {
  readonly #waiting = new Set<Pending>();
  readonly #sent = new Map<string, Pending>();
  /** Of all messages that were sent lately, over any connection. */
  readonly #keys = new Set<string>();
  #link: HostLink | undefined;
  /** Calls wait while the host is let say whether it is still there. */
  #isDoubted = false;
  #isWriting = false;
  #isOpening = false;
  /** In a row; a connection that did not last is one too. */
  #failures = 0;
  #openedMs = 0;
  #retry: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(private readonly address: HostAddress) {}

  /** Sends a message, once, and waits for its answer. */
  exchange(exchange: Exchange): Promise<ExchangeResult> {
    return new Promise((resolve) => {
      const { message, signal, beginByMs } = exchange;
      const packed = pack(message, this.address.encoding);
      const timers: NodeJS.Timeout[] = [];
      const giveUp = (): void => this.#giveUp(pending);
      const pending: Pending = {
        ...exchange,
        key: keyOf(message),
        packed,
        settle: (result) => {
          for (const timer of timers) clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          this.#waiting.delete(pending);
          if (this.#sent.get(pending.key) === pending) this.#sent.delete(pending.key);
          resolve(result);
        },
      };
      const nowMs = performance.now();
      const isUsed = this.#isUsed(pending);
      if (this.#isClosed || signal?.aborted === true || isUsed) {
        return resolve({ kind: 'notSent', reason: 'givenUp' });
      }
      if (beginByMs !== undefined && beginByMs < nowMs) {
        return resolve({ kind: 'notSent', reason: 'tooLate' });
      }
      signal?.addEventListener('abort', giveUp);
      timers.push(setTimeout(() => this.#timedOut(pending), exchange.timeoutMs));
      if (beginByMs !== undefined) {
        timers.push(setTimeout(() => this.#tooLate(pending), beginByMs - nowMs));
      }
      this.#waiting.add(pending);
      if (this.#link === undefined) this.#openSoon();
      void this.#write();
    });
  }

  /** Says goodbye to the host; what is under way is lost, what waits is not sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#idle);
    const link = this.#link;
    this.#link = undefined;
    this.#settleSent('connectionLost');
    this.#settleWaiting('givenUp');
    if (link === undefined) return;
    link.signOff();
    await link.over(GOODBYE_WITHIN_MS);
  }

  /** Two messages of one key would be one to the host, which might answer the first one twice. */
  #isUsed({ key, isRepeatable }: Pending): boolean {
    if (this.#sent.has(key)) return true;
    const isWaiting = [...this.#waiting].some((each) => each.key === key);
    return isWaiting || (isRepeatable !== true && this.#keys.has(key));
  }

  /** Writes what waits, one after the other: none is handed over before the one before it has left. */
  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (const pending of this.#waiting) {
      const link = this.#link;
      if (link === undefined || this.#isDoubted) break;
      const { packed, key, beginByMs } = pending;
      if (beginByMs !== undefined && performance.now() > beginByMs) {
        this.#tooLate(pending);
        continue;
      }
      this.#waiting.delete(pending);
      pending.sentMs = performance.now();
      this.#sent.set(key, pending);
      this.#remember(key);
      await link.write(packed);
    }
    this.#isWriting = false;
  }

  #remember(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > KEYS_MAX && oldest !== undefined) this.#keys.delete(oldest);
  }

  #answered(answer: Message): void {
    const key = keyOf(answer);
    const pending = this.#sent.get(key);
    if (pending === undefined) {
      // Late, or a second time: harmless. To what was never asked: the stream is not what it seems.
      if (!this.#keys.has(key)) this.#link?.end('unreadableAnswer');
    } else if (isAbout(pending.message)(answer)) {
      pending.settle({ kind: 'answered', answer });
    } else {
      this.#link?.end('unreadableAnswer');
    }
  }

  #giveUp(pending: Pending): void {
    pending.settle(
      pending.sentMs === undefined
        ? { kind: 'notSent', reason: 'givenUp' }
        : { kind: 'lost', reason: 'timeout' },
    );
  }

  #timedOut(pending: Pending): void {
    const { sentMs } = pending;
    if (sentMs === undefined) return this.#tooLate(pending);
    pending.settle({ kind: 'lost', reason: 'timeout' });
    const link = this.#link;
    if (link !== undefined && link.lastReceivedMs < sentMs) void this.#doubt(link);
  }

  #tooLate(pending: Pending): void {
    if (pending.sentMs !== undefined) return;
    const isThere = this.#link !== undefined || this.#failures === 0;
    const reason = isThere ? 'tooLate' : 'notReachable';
    pending.settle({ kind: 'notSent', reason });
  }

  /** A connection that is half open takes everything and gives nothing: calls wait for its echo. */
  async #doubt(link: HostLink): Promise<void> {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    const isThere = await link.echo();
    if (link !== this.#link) return;
    this.#isDoubted = false;
    if (!isThere) return link.end('connectionLost');
    this.#watch(link);
    await this.#write();
  }

  /** Asks for an echo when nothing has come for a while. */
  #watch(link: HostLink): void {
    clearTimeout(this.#idle);
    const { echoAfterMs = ECHO_AFTER_MS } = this.address;
    const silentMs = performance.now() - link.lastReceivedMs;
    const again = (): void => {
      const isSilent = performance.now() - link.lastReceivedMs >= echoAfterMs;
      if (isSilent) void this.#doubt(link);
      else this.#watch(link);
    };
    this.#idle = setTimeout(again, Math.max(1, echoAfterMs - silentMs)).unref();
  }

  #openSoon(): void {
    if (this.#isClosed || this.#isOpening || this.#retry !== undefined) return;
    const backoffMs = RETRY_AFTER_MS * 2 ** (this.#failures - 1);
    const afterMs = this.#failures === 0 ? 0 : Math.min(RETRY_AFTER_MS_MAX, backoffMs);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#open();
    }, afterMs).unref();
  }

  async #open(): Promise<void> {
    this.#isOpening = true;
    const link = await this.#opened();
    this.#isOpening = false;
    if (this.#isClosed) return link?.end('connectionLost');
    if (link === undefined) {
      this.#failures += 1;
      this.#settleWaiting('notReachable');
      return this.#openSoon();
    }
    this.#link = link;
    this.#openedMs = performance.now();
    this.#isDoubted = false;
    this.#watch(link);
    await this.#write();
  }

  /** A link that the host has let in. */
  async #opened(): Promise<HostLink | undefined> {
    const socket = await connected(this.address);
    if (socket === undefined) return undefined;
    const link: HostLink = new HostLink(socket, this.address, {
      answered: (answer) => this.#answered(answer),
      ended: (reason) => this.#ended(link, reason),
    });
    if ((await link.signOn()) && !link.isOver) return link;
    link.end('connectionLost');
    return undefined;
  }

  #ended(link: HostLink, reason: LinkEnd): void {
    if (link !== this.#link) return;
    this.#link = undefined;
    clearTimeout(this.#idle);
    const hasLasted = performance.now() - this.#openedMs > RETRY_AFTER_MS_MAX;
    this.#failures = hasLasted ? 0 : this.#failures + 1;
    this.#settleSent(reason);
    this.#openSoon();
  }

  #settleSent(reason: LinkEnd): void {
    for (const pending of [...this.#sent.values()]) pending.settle({ kind: 'lost', reason });
  }

  #settleWaiting(reason: 'notReachable' | 'givenUp'): void {
    for (const pending of [...this.#waiting]) pending.settle({ kind: 'notSent', reason });
  }
}

/** A connected socket; undefined where there is none in time. */
async function connected(address: HostAddress): Promise<Socket | undefined> {
  const { host, port, tls, lookup } = address;
  const target = { host, port, ...(lookup && { lookup }) };
  let options: Awaited<ReturnType<typeof tlsOptions>> | undefined;
  try {
    options = tls && (await tlsOptions(host, tls));
  } catch {
    return undefined;
  }
  return new Promise((resolve) => {
    const socket =
      options === undefined ? connectPlain(target) : connectTls({ ...target, ...options });
    const settle = (result: Socket | undefined): void => {
      clearTimeout(timer);
      socket.removeListener('error', fail);
      resolve(result);
    };
    const fail = (): void => {
      socket.destroy();
      settle(undefined);
    };
    const timer = setTimeout(fail, CONNECT_WITHIN_MS);
    socket.once('error', fail);
    socket.once(options === undefined ? 'connect' : 'secureConnect', () => settle(socket));
  });
}

async function tlsOptions(host: string, files: TlsFiles) {
  const { authorityFile, certificateFile, keyFile } = files;
  return {
    ...(isIP(host) === 0 && { servername: host }),
    ...(authorityFile !== undefined && { ca: await readFile(authorityFile) }),
    ...(certificateFile !== undefined && { cert: await readFile(certificateFile) }),
    ...(keyFile !== undefined && { key: await readFile(keyFile) }),
  };
}
