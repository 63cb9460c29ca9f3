import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Scraper } from './scraper.js';

const servers: Server[] = [];
let asked = 0;

afterEach(() => {
  asked = 0;
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function exposing(text: string, onAsked: () => void = () => undefined): Promise<string> {
  const listening = createServer((request, response) => {
    asked += 1;
    response.writeHead(request.url === '/metrics' ? 200 : 404).end(text);
    onAsked();
  });
  servers.push(listening);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

const OURS = '# TYPE sluice_build_info gauge\nsluice_build_info 1\n';

describe('a scrape', () => {
  it('asks every process and counts what came', async () => {
    const address = await exposing(OURS);
    const scraper = new Scraper([address, address]);
    await scraper.scrape('some');
    expect(asked).toBe(2);
    expect(scraper.bytes).toBe(2 * OURS.length);
  });

  it('of a process that counts when it should not, or not when it should, fails', async () => {
    const counting = await exposing(OURS);
    await expect(new Scraper([counting]).scrape('none')).rejects.toThrow('some of our metrics');
    const silent = await exposing('\n');
    await expect(new Scraper([silent]).scrape('none')).resolves.toBeUndefined();
    await expect(new Scraper([silent]).scrape('some')).rejects.toThrow('none of our metrics');
  });
});

describe('a scraper', () => {
  it('asks again and again until it is stopped', async () => {
    let askedThrice: () => void = () => undefined;
    const isAskedThrice = new Promise<void>((resolve) => (askedThrice = resolve));
    const address = await exposing(OURS, () => {
      if (asked === 3) askedThrice();
    });
    const scraper = new Scraper([address], 2);
    scraper.start();
    await isAskedThrice;
    await scraper.stop();
    const bytes = scraper.bytes;
    expect(bytes).toBeGreaterThanOrEqual(3 * OURS.length);
    await new Scraper([address]).scrape('some');
    expect(scraper.bytes).toBe(bytes);
  });

  it('says at its end that a scrape failed', async () => {
    let heard: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (heard = resolve));
    const scraper = new Scraper([await exposing('', () => heard())], 2);
    scraper.start();
    await isAsked;
    await expect(scraper.stop()).rejects.toThrow('none of our metrics');
  });
});
