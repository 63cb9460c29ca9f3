import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { launched } from './launcher.js';

/** One line of a service's log. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** How a service process ended. */
export interface ServiceEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Which service to start. */
export interface ServiceProcessOptions {
  /** Its compiled main, relative to the repository: `apps/vault/dist/main.js`. */
  readonly entry: string;
  /** All that it is told; of the caller's environment it only sees where programs are. */
  readonly environment: Readonly<Record<string, string>>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** A cold build and a start on a loaded machine. */
const LOGGED_WITHIN_MS = 60_000;

/** Starts a service as `npm run start -w apps/<name>` does; it need not become ready. */
export function startServiceProcess(options: ServiceProcessOptions): ServiceProcess {
  const child = spawn(process.execPath, launched(options.entry), {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], MANAGEMENT_PORT: '0', ...options.environment },
  });
  return new ServiceProcess(child);
}

/** One service process and everything it has logged. */
export class ServiceProcess {
  readonly lines: LogLine[] = [];
  /** Resolves when the process has ended and all it printed has arrived. */
  readonly ended: Promise<ServiceEnd>;
  #other = '';
  readonly #waiting = new Set<() => void>();

  constructor(private readonly child: ChildProcess) {
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        resolve({ code, signal });
        this.#wake();
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface(stream).on('line', (line) => this.#take(line));
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Everything it printed. */
  get output(): string {
    return `${this.lines.map((line) => JSON.stringify(line)).join('\n')}\n${this.#other}`;
  }

  /** The first line with this message, as soon as it is there; throws when the process ends first. */
  async logged(message: string | RegExp): Promise<LogLine> {
    const isIt = ({ msg }: LogLine): boolean =>
      typeof message === 'string' ? msg === message : message.test(msg);
    const giveUpAt = performance.now() + LOGGED_WITHIN_MS;
    for (;;) {
      const line = this.lines.find(isIt);
      if (line !== undefined) return line;
      if (this.child.exitCode !== null || this.child.signalCode !== null) await this.ended;
      const found = this.lines.find(isIt);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || performance.now() > giveUpAt) {
        throw new Error(`the service did not log ${String(message)}:\n${this.output}`);
      }
      await this.#nextLine();
    }
  }

  /** Answers of its management port: `/readyz`. */
  async health(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const { management } = await this.logged(/^The service \S+ starts\.$/);
    const response = await fetch(`${String(management)}${path}`);
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  /** What its management port tells Prometheus. */
  async scrape(): Promise<{ status: number; contentType: string | null; text: string }> {
    const { management } = await this.logged(/^The service \S+ starts\.$/);
    const response = await fetch(`${String(management)}/metrics`);
    const { status, headers } = response;
    return { status, contentType: headers.get('content-type'), text: await response.text() };
  }

  /** Reads nothing more of what it prints: its next line meets a broken pipe. */
  closeOutput(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  /** Sends a signal. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Asks it to stop and waits for its end. */
  stop(): Promise<ServiceEnd> {
    this.child.kill('SIGTERM');
    return this.ended;
  }

  /** For cleaning up after a test, whatever came before. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  #take(line: string): void {
    try {
      this.lines.push(JSON.parse(line) as LogLine);
    } catch {
      this.#other += `${line}\n`;
    }
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  #nextLine(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, LOGGED_WITHIN_MS);
      this.#waiting.add(wake);
    });
  }
}
