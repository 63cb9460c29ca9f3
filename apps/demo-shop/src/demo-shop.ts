import Fastify from 'fastify';
import { browsing } from './browsing.js';
import { type Account, Gateway } from './gateway.js';
import { keptCards } from './kept-cards.js';
import { paying } from './paying.js';
import { Payments } from './payments.js';
import { Shop } from './shop.js';

/** How a shop is opened. */
export interface DemoShopOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Of the merchant, with the gateway. */
  readonly account: Account;
  readonly nowMs?: () => number;
}

/** The shop while it is open. */
export interface DemoShop {
  /** `http://127.0.0.1:8090` */
  readonly url: string;
  close(): Promise<void>;
}

/** The forms of the shop are short. */
const BODY_BYTES_MAX = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const CONNECTIONS_MAX = 1_000;

/** Opens the shop. Rejects with the error of the system where it cannot listen. */
export async function startDemoShop(options: DemoShopOptions): Promise<DemoShop> {
  const { host, port, account, nowMs = Date.now } = options;
  const server = Fastify({
    ...{ bodyLimit: BODY_BYTES_MAX, requestTimeout: REQUEST_TIMEOUT_MS },
    forceCloseConnections: true,
  });
  server.server.maxConnections = CONNECTIONS_MAX;
  const gateway = new Gateway(account);
  const payments = new Payments(gateway, nowMs);
  const shop = new Shop(server, account.url);
  browsing(server, shop);
  paying(server, { shop, payments });
  keptCards(server, { shop, gateway });
  return { url: await server.listen({ host, port }), close: () => server.close() };
}
