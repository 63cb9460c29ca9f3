import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { freePorts } from './free-ports.js';

describe('free ports', () => {
  it('are different, free, and none that systems give to outgoing connections', async () => {
    const ports = await freePorts(20);
    expect(new Set(ports).size).toBe(20);
    for (const port of ports) {
      expect(port).toBeGreaterThanOrEqual(20_000);
      expect(port).toBeLessThanOrEqual(32_000);
      await new Promise<void>((resolve, reject) => {
        const server = createServer().once('error', reject);
        server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
      });
    }
  });
});
