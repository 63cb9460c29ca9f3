import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Line, Order } from './order.js';
import { prints } from './prints.js';

/** Somebody at the shop. A shop of yours has all of this in its database. */
export interface Shopper {
  /** How many of each print, by its id. */
  readonly basket: Map<string, number>;
  readonly orders: Map<string, Order>;
  /** The ids of the cards that the gateway keeps for this shopper: never a card's number. */
  readonly registrationIds: Set<string>;
  /** As told at the last order. */
  details?: Readonly<Record<string, string>>;
  /** The last order, and what was asked for by it. */
  placed?: Placed | undefined;
}

/** An order that is being made, or is made. */
export interface Placed {
  readonly wish: string;
  readonly atMs: number;
  readonly order: Promise<Order>;
}

const COOKIE = 'shopper';
/** A demo has no more; whoever came first is forgotten first, as everybody is at its end. */
const SHOPPERS_MAX = 1_000;

/** Who is at the shop, by a cookie that no script reads and no form of another site brings along. */
export class Shoppers {
  readonly #known = new Map<string, Shopper>();

  /** Who asks; whoever comes for the first time is given the cookie. */
  of(request: FastifyRequest, reply: FastifyReply): Shopper {
    const [, told = ''] =
      /(?:^|; )shopper=([0-9a-f-]{36})/.exec(request.headers.cookie ?? '') ?? [];
    const known = this.#known.get(told);
    if (known !== undefined) return known;
    const id = randomUUID();
    const shopper: Shopper = { basket: new Map(), orders: new Map(), registrationIds: new Set() };
    this.#known.set(id, shopper);
    const [oldest] = this.#known.keys();
    if (this.#known.size > SHOPPERS_MAX && oldest !== undefined) this.#known.delete(oldest);
    // Behind TLS it is `Secure`, too.
    void reply.header('set-cookie', `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax`);
    return shopper;
  }
}

/** What is in a basket. */
export function linesOf({ basket }: Shopper): readonly Line[] {
  return [...basket].flatMap(([id, quantity]) => {
    const print = prints.get(id);
    return print === undefined ? [] : [{ print, quantity }];
  });
}
