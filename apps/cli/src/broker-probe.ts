import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 250;

/**
 * Waits until one of the brokers takes connections; false when none did in time. Asked before kafkajs
 * is, which goes on trying for 13 s whoever has given up meanwhile, and keeps the process alive.
 */
export async function someBrokerListens(
  brokers: readonly string[],
  withinMs: number,
): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const leftMs = giveUpAt - performance.now();
    if (leftMs <= 0) return false;
    const listening = await Promise.all(
      brokers.map((broker) => listens(broker, leftMs).catch(() => false)),
    );
    if (listening.includes(true)) return true;
    await pause(Math.min(PAUSE_MS, leftMs));
  }
}

/** `host:port`, as kafkajs reads it; rejects what is no port. */
function listens(broker: string, withinMs: number): Promise<boolean> {
  const [host = '', port = ''] = broker.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number.parseInt(port, 10) });
    const end = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(Math.ceil(withinMs), end(false));
    socket.once('connect', end(true)).once('error', end(false));
  });
}
