import { type ChildProcess, spawn } from 'node:child_process';
import { NAMESPACE } from './cluster.js';
import { DeployRefused } from './deploy-refused.js';

const FORWARDED = /^Forwarding from /m;

/** The edge's Service on a port of this machine, for as long as the child lives. */
export class Forwarding {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Resolves when connections are taken. Throws DeployRefused with what kubectl says. */
  static open(port: number): Promise<Forwarding> {
    const words = ['port-forward', '-n', NAMESPACE, 'service/edge', `${port}:http`];
    const child = spawn('kubectl', words, { stdio: ['ignore', 'pipe', 'pipe'] });
    return new Promise((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
      child.stdout.on('data', (chunk: Buffer) => {
        if (!FORWARDED.test(chunk.toString('utf8'))) return;
        resolve(new Forwarding(`http://127.0.0.1:${port}`, child));
      });
      child.on('error', reject);
      child.on('close', () => {
        reject(new DeployRefused(`Port ${port} cannot be forwarded: ${said.trim()}`));
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
