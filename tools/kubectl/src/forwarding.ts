import { type ChildProcess, spawn } from 'node:child_process';
import { NAMESPACE } from './cluster.js';
import { ClusterUnusable } from './cluster-unusable.js';

const FORWARDED = /^Forwarding from 127\.0\.0\.1:([0-9]{1,5}) /m;

/** What is met on a port of this machine. */
export interface ForwardingWish {
  /** E.g. `service/edge`; kubectl takes one pod of it, and ends with that pod. */
  readonly target: string;
  /** Its port, by name or number. */
  readonly targetPort: string;
  /** The port here; 0 for one that is free. */
  readonly port: number;
}

/** A port of the cluster on one of this machine, for as long as the child lives. */
export class Forwarding {
  private constructor(
    /** The port here. */
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  /** Resolves when connections are taken. Throws ClusterUnusable with what kubectl says. */
  static open({ target, targetPort, port }: ForwardingWish): Promise<Forwarding> {
    // With nothing before the colon kubectl chooses.
    const ports = `${port === 0 ? '' : port}:${targetPort}`;
    const words = ['port-forward', '-n', NAMESPACE, target, ports];
    const child = spawn('kubectl', words, { stdio: ['ignore', 'pipe', 'pipe'] });
    return new Promise((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
      child.stdout.on('data', (chunk: Buffer) => {
        const here = FORWARDED.exec(chunk.toString('utf8'))?.[1];
        if (here !== undefined) resolve(new Forwarding(Number(here), child));
      });
      child.on('error', reject);
      child.on('close', () => {
        reject(new ClusterUnusable(`A port of ${target} cannot be forwarded: ${said.trim()}`));
      });
    });
  }

  /** Resolves when it has ended. */
  ended(): Promise<void> {
    return new Promise((resolve) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) resolve();
      else this.child.on('close', () => resolve());
    });
  }

  close(): void {
    this.child.kill();
  }
}
