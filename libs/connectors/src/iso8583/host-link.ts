import type { Socket } from 'node:net';
import { framed, FrameReader, type LengthBytes } from './frames.js';
import type { Version } from './message-fields.js';
import { type Encoding, type Message, type MessageFields, pack, unpack } from './message-format.js';
import { localDateTimeAt } from './message-keys.js';
import type { NetworkPurpose, Standard } from './standard.js';
import { standardOf, standards } from './standards.js';
import { isRequest, keyOf } from './transaction-answer.js';

/** How the two sides write messages. */
export interface WireFormat {
  /** Of the standard: a message of another one is unreadable. */
  readonly version: Version;
  readonly encoding: Encoding;
  readonly lengthBytes: LengthBytes;
}

const TRACES = 1_000_000;
const TRACE_DIGITS = 6;

/** How long the host may take to answer a sign-on or an echo; it asks nobody for it. */
export const NETWORK_ANSWER_WITHIN_MS = 3_000;

/** Why a link is over. */
export type LinkEnd = 'connectionLost' | 'unreadableAnswer';

/** What a link tells its owner. */
export interface LinkListener {
  /** An answer that is not about network management. */
  answered(answer: Message): void;
  ended(reason: LinkEnd): void;
}

/** One open socket to the host: messages both ways, and network management. */
export class HostLink {
  /** By `performance.now()`. */
  lastReceivedMs = performance.now();
  readonly #frames: FrameReader;
  readonly #network = new Map<string, (isDone: boolean) => void>();
  readonly #standard: Standard;
  #trace = 0;
  /** Whether its socket is closed, or about to be. */
  isOver = false;

  constructor(
    private readonly socket: Socket,
    private readonly format: WireFormat,
    private readonly listener: LinkListener,
  ) {
    this.#frames = new FrameReader(format.lengthBytes);
    this.#standard = standards[format.version];
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    socket.on('error', () => this.end('connectionLost'));
    socket.once('close', () => this.end('connectionLost'));
  }

  /** Writes a message that was packed before; resolves when the operating system has taken it. */
  write(message: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.socket.write(framed(message, this.format.lengthBytes), () => resolve());
    });
  }

  /** Whether the host lets us in. */
  signOn(): Promise<boolean> {
    return this.#ask('signOn');
  }

  /** Whether anybody is still there. */
  echo(): Promise<boolean> {
    return this.#ask('echo');
  }

  /** Says goodbye, which nobody waits for. */
  signOff(): void {
    if (this.isOver) return;
    this.#send('signOff');
    this.socket.end();
  }

  /** Resolves when the socket is closed; it is closed after so many milliseconds at the latest. */
  over(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.closed) return resolve();
      const timer = setTimeout(() => this.socket.destroy(), withinMs);
      this.socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Closes the socket, and tells the owner, once. */
  end(reason: LinkEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.socket.destroy();
    for (const settle of [...this.#network.values()]) settle(false);
    this.listener.ended(reason);
  }

  #ask(what: NetworkPurpose): Promise<boolean> {
    if (this.isOver) return Promise.resolve(false);
    const key = this.#send(what);
    return new Promise((resolve) => {
      const settle = (isDone: boolean): void => {
        clearTimeout(timer);
        this.#network.delete(key);
        resolve(isDone);
      };
      const timer = setTimeout(settle, NETWORK_ANSWER_WITHIN_MS, false);
      this.#network.set(key, settle);
    });
  }

  /** The key of what was sent. */
  #send(what: NetworkPurpose): string {
    const { type, purposes, timeFields } = this.#standard.network;
    this.#trace = (this.#trace + 1) % TRACES;
    const fields: MessageFields = {
      ...timeFields(localDateTimeAt(Date.now())),
      trace: String(this.#trace).padStart(TRACE_DIGITS, '0'),
      ...purposes[what],
    };
    const message = { type, fields };
    void this.write(pack(message, this.format.encoding));
    return keyOf(message);
  }

  #received(chunk: Buffer): void {
    this.lastReceivedMs = performance.now();
    const messages = this.#frames.take(chunk);
    if (messages === undefined) return this.end('unreadableAnswer');
    for (const bytes of messages) {
      if (this.isOver) return;
      const message = unpack(bytes, this.format.encoding);
      if (message === undefined || standardOf(message.type) !== this.#standard) {
        return this.end('unreadableAnswer');
      }
      this.#take(message);
    }
  }

  #take(message: Message): void {
    const { type, answerType, done } = this.#standard.network;
    if (message.type === type) return this.#answer(message);
    if (message.type === answerType) {
      this.#network.get(keyOf(message))?.(message.fields.responseCode === done);
    } else if (!isRequest(message)) {
      this.listener.answered(message);
    }
  }

  /** The host wants to know whether we are still there. */
  #answer({ fields }: Message): void {
    const { answerType, done } = this.#standard.network;
    const answer = { type: answerType, fields: { ...fields, responseCode: done } };
    void this.write(pack(answer, this.format.encoding));
  }
}
