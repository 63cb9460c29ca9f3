import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { offerLoad, poissonArrivalsMs } from './open-loop.js';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(
  answer: (index: number) => { status: number; afterMs: number },
): Promise<number> {
  let index = 0;
  server = createServer((_request, response) => {
    const { status, afterMs } = answer(index);
    index += 1;
    setTimeout(() => {
      response.writeHead(status, { 'Content-Length': 2 }).end('ok');
    }, afterMs);
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const request = {
  bytes: Buffer.from('GET / HTTP/1.1\r\nHost: test\r\n\r\n'),
  expected: (status: number) => status === 200,
};

describe('the schedule of arrivals', () => {
  it('is the same for the same seed and another for another', () => {
    expect(poissonArrivalsMs(100, 2, 7)).toEqual(poissonArrivalsMs(100, 2, 7));
    expect(poissonArrivalsMs(100, 2, 7)).not.toEqual(poissonArrivalsMs(100, 2, 8));
  });

  it('offers the asked rate within the noise of chance', () => {
    const arrivals = poissonArrivalsMs(1_000, 10, 1);
    expect(arrivals.length).toBeGreaterThan(9_600);
    expect(arrivals.length).toBeLessThan(10_400);
  });
});

describe('a run', () => {
  it('counts an unexpected status as an error and names the first', async () => {
    const port = await listen((index) => ({ status: index === 3 ? 500 : 200, afterMs: 0 }));
    const result = await offerLoad({
      host: '127.0.0.1',
      port,
      ratePerSecond: 100,
      seconds: 0.2,
      connectionsMax: 4,
      seed: 1,
      prepare: () => request,
    });
    expect(result.errors).toBe(1);
    expect(result.firstError).toContain('500');
  });

  it('counts the wait for a stalled server as latency of every request behind it', async () => {
    const port = await listen((index) => ({ status: 200, afterMs: index === 0 ? 300 : 0 }));
    const result = await offerLoad({
      host: '127.0.0.1',
      port,
      ratePerSecond: 200,
      seconds: 0.3,
      connectionsMax: 1,
      seed: 1,
      prepare: () => request,
    });
    expect(result.errors).toBe(0);
    // With one connection everything waits behind the first answer; a closed loop would show ~0 ms.
    expect(result.p50Ms).toBeGreaterThan(50);
  });
});
