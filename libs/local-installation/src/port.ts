import { createServer } from 'node:net';

/** Nobody else may listen where the gateway is to; the message is a sentence. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
}

/**
 * Asks for the port before anything else is started, so that the answer comes at once. Throws
 * PortInUse when it is taken, not allowed, or the address is not this machine's; `flag` chooses
 * another port.
 */
export function assertPortFree(host: string, port: number, flag?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(portRefusal(host, port, error, flag));
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve();
      });
    });
  });
}

/** What to tell the user of an address that cannot be listened on; `flag` chooses another port. */
export function portRefusal(
  host: string,
  port: number,
  error: NodeJS.ErrnoException,
  flag = '--port',
): PortInUse {
  return new PortInUse(sentence(host, port, error.code, flag), { cause: error });
}

function sentence(host: string, port: number, code: string | undefined, flag: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program; choose another with ${flag}.`;
    case 'EACCES':
      return `Port ${port} needs more rights than this user has; choose one above 1023 with ${flag}.`;
    default:
      return `Sluice cannot listen on ${host}, port ${port} (${code ?? 'unknown reason'}).`;
  }
}
