import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A way to the gateway, of one address, on which answers get lost while it is asked to lose them. */
export class WayToGateway {
  /** Whether what is asked arrives, and its answer does not. */
  losesAnswers = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  /** @param gateway its address, which may be another one later */
  private constructor(public gateway: string) {
    this.server = createServer((shopper) => {
      const { port, hostname } = new URL(this.gateway);
      const onward = connect(Number(port), hostname);
      for (const [one, other] of [
        [shopper, onward],
        [onward, shopper],
      ] as const) {
        this.sockets.add(one);
        one.on('close', () => {
          this.sockets.delete(one);
          other.destroy();
        });
        one.on('error', () => undefined);
      }
      shopper.on('data', (chunk) => onward.write(chunk));
      onward.on('data', (chunk) => {
        if (this.losesAnswers) shopper.destroy();
        else shopper.write(chunk);
      });
    });
  }

  /** Before the gateway at this address. */
  static async before(gateway: string): Promise<WayToGateway> {
    const way = new WayToGateway(gateway);
    way.server.listen(0, '127.0.0.1');
    await once(way.server, 'listening');
    return way;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
