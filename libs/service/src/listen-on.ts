import type { AddressInfo, Server } from 'node:net';

/**
 * A port that a service should listen on is taken, or it may not use it; the message says which.
 */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Listens and resolves with the URL; 0 takes any free port. Throws ListenError. */
export function listenOn(
  server: Server,
  scheme: 'http' | 'https',
  host: string,
  port: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `failed (${error.code ?? ''})`;
      reject(new ListenError(`Listening on port ${port} of ${host} ${reason}.`));
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      const shownHost = host.includes(':') ? `[${host}]` : host;
      resolve(`${scheme}://${shownHost}:${(server.address() as AddressInfo).port}`);
    });
  });
}
