import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** One call of a receiver, decrypted. */
export interface HeardCall {
  readonly receiver: string;
  /** `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly transactionId: string;
  readonly sequence: number;
  readonly atMs: number;
  /** It has answered 2xx. */
  readonly isAcknowledged: boolean;
}

type Message = { readonly urls: Readonly<Record<string, string>> } | { readonly heard: HeardCall };

/** A process with receivers of notifications, each of which answers, or misbehaves in its way. */
export class ReceiverProcess {
  /** In the order of coming; tests aside. */
  readonly heard: HeardCall[] = [];
  urls: Readonly<Record<string, string>> = {};

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (message) => this.#take(message as Message));
  }

  /** @param ways what each does once it misbehaves, by its name: those of `receivers.mjs` */
  static async start(
    ways: Readonly<Record<string, string>>,
    secret: string,
  ): Promise<ReceiverProcess> {
    const program = join(import.meta.dirname, 'receivers.mjs');
    const child = fork(program, [JSON.stringify(ways)], { env: { SECRET: secret } });
    const receivers = new ReceiverProcess(child);
    while (Object.keys(receivers.urls).length === 0) await once(child, 'message');
    return receivers;
  }

  /** From now on; `elsewhere` is where those that redirect lead. */
  misbehave(elsewhere: string): void {
    this.child.send({ isMisbehaving: true, elsewhere });
  }

  /** From now on each of them answers; what hangs goes on hanging. */
  behave(): void {
    this.child.send({ isMisbehaving: false });
  }

  async close(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  #take(message: Message): void {
    if ('urls' in message) this.urls = message.urls;
    else if (message.heard.type !== 'test') this.heard.push(message.heard);
  }
}
