import type { Server, Socket } from 'node:net';
import { countedAddress, type TrustedProxies } from './client-address.js';

/** How many connections one address may have. */
export interface ConnectionLimit {
  /** 0: no limit. */
  readonly perAddress: number;
  /** Their connections carry many clients, and are not counted. */
  readonly proxies: TrustedProxies;
  /** Called when a connection was one too many. */
  readonly onRefused: () => void;
}

/** Closes connections of an address beyond its limit at once, without an answer. */
export function limitConnections(
  server: Server,
  { perAddress, proxies, onRefused }: ConnectionLimit,
): void {
  if (perAddress === 0) return;
  const counts = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || proxies.has(remoteAddress)) return;
    const address = countedAddress(remoteAddress);
    const count = counts.get(address) ?? 0;
    if (count >= perAddress) {
      socket.destroy();
      onRefused();
      return;
    }
    counts.set(address, count + 1);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  });
}
