import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RESULT_CALL_AFTER_MS } from '@sluice/domain-checkouts';
import type { CheckoutId } from '@sluice/identifiers';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CheckoutsWorld } from '../test/checkouts-fixture.js';

const DECLINED = { status: 'declined', resultCode: '800.100.152' } as const;
const APPROVED = { status: 'approved', resultCode: '000.100.110' } as const;

/** A shop with a page of results, which answers as it is told and notes what it was asked. */
class Shop {
  readonly asked: string[] = [];
  /** What the next calls are answered with; 200 afterwards. */
  statuses: number[] = [];
  /** Called before a call is answered. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();
  readonly #server: Server = createServer((request, response) => {
    this.asked.push(`${request.method} ${request.url}`);
    void this.meanwhile().then(() => {
      response.writeHead(this.statuses.shift() ?? 200, { 'content-type': 'text/html' });
      response.end('<p>Thank you.</p>');
    });
  });

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }
}

let world: CheckoutsWorld;
let shop: Shop;
beforeAll(async () => {
  world = await CheckoutsWorld.open();
}, 60_000);
beforeEach(async () => {
  shop = new Shop();
  await shop.open();
});
afterEach(async () => {
  await world.endProcesses();
  await shop.close();
});
afterAll(() => world.close());

/**
 * A checkout whose form was sent from this page, with what became of it. The process that took it has ended,
 * so nobody looks at it until a spec starts another one.
 */
async function submitted(url: string, outcome: object): Promise<CheckoutId> {
  const process = await world.start();
  const creation = await world.creation();
  const { checkoutId } = creation.data;
  await process.send(creation);
  const sent = await world.submission(checkoutId, undefined, 'payment', url);
  world.outcomes.of.set(sent.data.transactionId, outcome);
  expect(await process.send(sent)).toEqual({ kind: 'recorded' });
  await world.until(checkoutId, outcome === APPROVED ? 'AttemptSucceeded' : 'AttemptFailed');
  await process.close();
  return checkoutId;
}

/** The same, 29 minutes ago. */
async function submittedLongAgo(url: string, outcome: object): Promise<CheckoutId> {
  const checkoutId = await submitted(url, outcome);
  await world.age(checkoutId, RESULT_CALL_AFTER_MS);
  return checkoutId;
}

const told = (id: CheckoutId, path: string): string =>
  `GET ${path}${path.includes('?') ? '&' : '?'}id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`;

describe('the page of results of a checkout that nobody reads', () => {
  it('is called once after 29 minutes, and told where the result is', async () => {
    const id = await submittedLongAgo(`http://${shop.host}/done?order=7#top`, APPROVED);
    await world.start({ privateTargets: [shop.host] });
    await world.makeDue(id);
    await world.until(id, 'ResultCalled');
    expect(shop.asked).toEqual([told(id, '/done?order=7')]);
    expect(await world.dueAtOf(id)).toBeNull();
    expect(JSON.stringify(await world.eventsOf(id))).not.toContain(shop.host);
  });

  it('may read the result before it answers', async () => {
    const id = await submittedLongAgo(`http://${shop.host}/done`, APPROVED);
    const starting = world.start({ privateTargets: 'all' });
    const served: Promise<boolean>[] = [];
    shop.meanwhile = () => {
      const serving = starting.then((process) => process.serve(id));
      served.push(serving);
      return serving;
    };
    const process = await starting;
    await world.makeDue(id);
    await world.until(id, 'StatusServed');
    expect(await Promise.all(served)).toEqual([true]);
    expect(await process.statusOf(id)).toBeUndefined();
  });

  it('is called again while it is broken', async () => {
    shop.statuses = [503];
    const id = await submittedLongAgo(`http://${shop.host}/done`, DECLINED);
    const process = await world.start({ privateTargets: [shop.host] });
    await world.makeDue(id);
    while (shop.asked.length < 1) await world.eventsOf(id);
    await process.close();
    expect(await world.dueAtOf(id)).not.toBeNull();
    await world.start({ privateTargets: [shop.host] });
    await world.makeDue(id);
    await world.until(id, 'ResultCalled');
    expect(shop.asked).toEqual([told(id, '/done'), told(id, '/done')]);
  });

  it('is not followed where it leads on', async () => {
    shop.statuses = [302];
    const id = await submittedLongAgo(`http://${shop.host}/done`, DECLINED);
    await world.start({ privateTargets: [shop.host] });
    await world.makeDue(id);
    await world.until(id, 'ResultCalled');
    expect(shop.asked).toHaveLength(1);
  });

  it.each([
    ['in this network', (host: string) => `http://${host}/done`],
    ['of an app', () => 'shop:/done'],
    ['with a user', (host: string) => `http://jane:secret@${host}/done`],
  ])('is not called %s', async (_, url) => {
    const id = await submittedLongAgo(url(shop.host), DECLINED);
    await world.start();
    await world.makeDue(id);
    await world.until(id, 'ResultCalled');
    expect(shop.asked).toEqual([]);
  });

  it('is not called where the result was read, or nobody has sent the form', async () => {
    const read = await submitted(`http://${shop.host}/read`, APPROVED);
    const last = await submittedLongAgo(`http://${shop.host}/last`, DECLINED);
    const process = await world.start({ privateTargets: [shop.host] });
    expect(await process.serve(read)).toBe(true);
    await world.age(read, RESULT_CALL_AFTER_MS);
    const creation = await world.creation();
    await process.send(creation);
    const unsent = creation.data.checkoutId;
    await world.age(unsent, RESULT_CALL_AFTER_MS);
    for (const id of [read, unsent, last]) await world.makeDue(id);
    await world.until(last, 'ResultCalled');
    expect(shop.asked).toEqual([told(last, '/last')]);
  });
});
