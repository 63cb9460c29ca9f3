import { describe, expect, it } from '@jest/globals';
import { greeting } from './greeting.js';
import { type LineSink, LineConsole } from './line-console.js';

class Sink implements LineSink {
  text = '';
  accepts = true;
  #onDrain: (() => void) | undefined;

  write(text: string): boolean {
    this.text += text;
    return this.accepts;
  }

  once(_event: 'drain', listener: () => void): void {
    this.#onDrain = listener;
  }

  drain(): void {
    this.accepts = true;
    this.#onDrain?.();
  }
}

const request = {
  method: 'POST',
  path: '/v1/payments',
  status: 200,
  resultCode: '000.100.110',
  durationMs: 3.6,
};

describe('request lines', () => {
  it('are method, path, status, result code and milliseconds, in order', () => {
    const sink = new Sink();
    const console = new LineConsole(sink);
    console.print(request);
    console.print({ ...request, method: 'GET', status: 404, resultCode: '700.400.580' });
    expect(sink.text).toBe('');
    console.flush();
    expect(sink.text).toBe(
      'POST /v1/payments 200 000.100.110 4 ms\nGET /v1/payments 404 700.400.580 4 ms\n',
    );
  });

  it('wait for a slow reader, and are counted instead of kept without end', () => {
    const sink = new Sink();
    const console = new LineConsole(sink);
    sink.accepts = false;
    console.print(request);
    console.flush();
    const before = sink.text;
    for (let count = 0; count < 10_005; count += 1) console.print(request);
    console.flush();
    expect(sink.text).toBe(before);
    sink.drain();
    expect(sink.text.split('\n')).toHaveLength(1 + 10_000 + 1 + 1);
    expect(sink.text).toContain('… 5 lines not shown …');
  });
});

describe('the greeting', () => {
  it('begins with where, and gives commands to copy', () => {
    const text = greeting('http://127.0.0.1:8080', { entityId: 'e', accessToken: 't' }, 2026);
    const lines = text.split('\n');
    expect(lines[0]).toBe('Sluice is ready on http://127.0.0.1:8080');
    expect(lines.filter((line) => line.startsWith('Sluice is ready'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('curl http://127.0.0.1:8080/'))).toHaveLength(2);
    expect(text).toContain('-d card.expiryYear=2034');
  });

  it('says before the commands where the demo shop is, if there is one', () => {
    const demo = { entityId: 'e', accessToken: 't' };
    const shopUrl = 'http://0.0.0.0:8090';
    const lines = greeting('http://127.0.0.1:8080', demo, 2026, { shopUrl }).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      ...['Sluice is ready on http://127.0.0.1:8080', ''],
      'Demo shop: http://127.0.0.1:8090',
    ]);
    expect(greeting('http://127.0.0.1:8080', demo, 2026)).not.toContain('shop:');
  });

  it('gives commands for this computer where every interface is listened on', () => {
    const text = greeting('http://0.0.0.0:8080', { entityId: 'e', accessToken: 't' }, 2026);
    expect(text.match(/http:\/\/0\.0\.0\.0:8080/g)).toHaveLength(1);
    expect(text).toContain('curl http://127.0.0.1:8080/v1/payments ');
  });
});
