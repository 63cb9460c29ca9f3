import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below what systems give to outgoing connections: there, a port whose process is being restarted
 * could meanwhile become the near end of somebody's connection, even of one to itself.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** Ports of the loopback interface that nobody has at this moment, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  let port = randomInt(FIRST, LAST);
  for (let tried = 0; ports.length < count; tried += 1) {
    if (tried > LAST - FIRST) throw new Error('There are no free ports on this machine.');
    if (await isFree(port)) ports.push(port);
    port = port >= LAST ? FIRST : port + 1;
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
