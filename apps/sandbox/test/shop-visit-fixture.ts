import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { TestSandbox } from '@sluice/testing';
import { type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';

/** The machine runs other suites meanwhile. */
export const BROWSER_WITHIN_MS = 120_000;
/** A phone, which has little room. */
export const PHONE = { viewport: { width: 360, height: 640 } } as const;
/** What the sandbox's own schedule is shortened to, so that nobody waits for minutes. */
export const SOON = {
  SLUICE_INQUIRE_AFTER_MS: '200,400,800,1600,3200,6400,12800',
  SLUICE_SWEEP_INTERVAL_MS: '50',
};

/** What a shop answers, and whether it is anything but a page. */
export interface ShopAnswer {
  readonly type: string;
  readonly text: string;
}

/** The sandbox of a shop, whoever else is there. */
export type VisitedSandbox = Pick<TestSandbox, 'output' | 'url'>;

/** A shop, and the sandbox that it takes payments by; in which browser its shoppers are, others say. */
export class ShopVisit {
  /** The addresses at which shoppers came back to the shop, without its origin. */
  readonly returns: string[] = [];
  /** What the shop shows everywhere but where shoppers come back. */
  shopPage: string | undefined;
  /** What the shop says of its pages, beside what they are. */
  readonly pageHeaders = new Map<string, string>();
  /** What it shows elsewhere, by path. */
  readonly otherPages = new Map<string, string>();
  private readonly shop: Server = createServer((request, response) => {
    void this.answerTo(request.url ?? '').then(({ type, text }) => {
      response.setHeaders(this.pageHeaders);
      response.setHeader('content-type', `${type}; charset=utf-8`).end(text);
    });
  });

  /** @param sandboxOf the sandbox, of which tests alone ask */
  constructor(private readonly sandboxOf: () => VisitedSandbox) {
    beforeAll(async () => {
      this.shop.listen(0, '127.0.0.1');
      await once(this.shop, 'listening');
    }, BROWSER_WITHIN_MS);
    afterAll(() => {
      this.shop.closeAllConnections();
      this.shop.close();
    });
    beforeEach(() => {
      this.returns.length = 0;
      this.pageHeaders.clear();
    });
  }

  get sandbox(): VisitedSandbox {
    return this.sandboxOf();
  }

  get shopUrl(): string {
    return `http://127.0.0.1:${(this.shop.address() as AddressInfo).port}`;
  }

  /** Where the shop wants its shoppers back. */
  get resultUrl(): string {
    return `${this.shopUrl}/result?order=7`;
  }

  /** What the shop answers to whom it is asked by. */
  protected answerTo(path: string): Promise<ShopAnswer> {
    const isResult = path.startsWith('/result');
    if (isResult) this.returns.push(path);
    const page = isResult ? undefined : (this.otherPages.get(path) ?? this.shopPage);
    const text = page ?? '<title>Shop</title><p>Thank you</p>';
    return Promise.resolve({ type: 'text/html', text });
  }

  /** A checkout, as the shop's server makes one. */
  async create(fields: Fields = MONEY): Promise<Body> {
    return send(this.sandbox, ['POST', '/v1/checkouts'], fields);
  }

  /** What the shop then reads of the payment, by the address that it was given. */
  async read(): Promise<Body> {
    const { searchParams } = new URL(this.returns.at(-1) ?? '', this.shopUrl);
    return send(this.sandbox, ['GET', searchParams.get('resourcePath') ?? '']);
  }

  /** What becomes of a payment without anybody coming back. */
  async decided(id: string): Promise<string> {
    for (;;) {
      const { code } = (await send(this.sandbox, ['GET', `/v1/payments/${id}`])).result;
      if (code !== '000.200.000') return code;
      await new Promise((again) => setTimeout(again, 50));
    }
  }
}
