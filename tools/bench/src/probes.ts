import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ProbeCounts, ProbeProfile, ProbeWord } from './account-probe.js';

const PROBE = new URL('./account-probe.js', import.meta.url);

interface Reply {
  readonly answer?: unknown;
  readonly error?: string;
}

/** Talks to the probes in the processes of an installation, by their process ids. */
export class Probes {
  readonly #sockets = new Map<number, Socket>();
  readonly #waiting = new Map<number, ((reply: Reply) => void)[]>();

  private constructor(
    private readonly server: Server,
    /** What Node.js is told at the start of each process. */
    readonly nodeOptions: readonly string[],
  ) {
    server.on('connection', (socket) => this.#welcome(socket));
  }

  /** Waits for probes at a socket in the folder. */
  static async listen(folder: string, probe = PROBE): Promise<Probes> {
    const path = join(folder, 'probes.sock');
    const url = new URL(probe);
    url.searchParams.set('socket', path);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    });
    return new Probes(server, ['--import', url.href]);
  }

  /** What each process has sent so far. */
  counts(): Promise<ReadonlyMap<number, ProbeCounts>> {
    return this.#askAll<ProbeCounts>('count');
  }

  /** Profiles all of them until `stop`. */
  async start(): Promise<void> {
    await this.#askAll('start');
  }

  stop(): Promise<ReadonlyMap<number, ProbeProfile>> {
    return this.#askAll<ProbeProfile>('stop');
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
    this.server.close();
  }

  #welcome(socket: Socket): void {
    let pid: number | undefined;
    createInterface(socket).on('line', (line) => {
      if (pid !== undefined) {
        this.#waiting.get(pid)?.shift()?.(JSON.parse(line) as Reply);
        return;
      }
      ({ pid } = JSON.parse(line) as { pid: number });
      this.#sockets.set(pid, socket);
      this.#waiting.set(pid, []);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (pid === undefined) return;
      this.#sockets.delete(pid);
      for (const tell of this.#waiting.get(pid) ?? []) tell({ error: 'the process has ended' });
      this.#waiting.delete(pid);
    });
  }

  async #askAll<Answer>(word: ProbeWord): Promise<ReadonlyMap<number, Answer>> {
    const asked = [...this.#sockets].map(async ([pid, socket]): Promise<[number, Answer]> => {
      const reply = await new Promise<Reply>((resolve) => {
        this.#waiting.get(pid)?.push(resolve);
        socket.write(`${word}\n`);
      });
      if (reply.error !== undefined) throw new Error(`The probe of ${pid}: ${reply.error}.`);
      return [pid, reply.answer as Answer];
    });
    return new Map(await Promise.all(asked));
  }
}
