import { randomUUID } from 'node:crypto';
import { type Gateway, NoAnswer } from './gateway.js';
import {
  NOT_THERE,
  type Order,
  type Outcome,
  outcomeOf,
  outcomeOfAll,
  READ_TOO_OFTEN,
  totalCents,
} from './order.js';
import { linesOf, type Shopper } from './shoppers.js';

/** What a shopper tells at the checkout. */
export type Wish = Pick<Order, 'details' | 'keepsCard' | 'registrationId'>;

/** The gateway refuses what the shopper has typed, by the names of its parameters. */
export class Refused extends Error {
  constructor(readonly names: readonly string[]) {
    super(`The gateway refuses ${names.join(', ')}.`);
  }
}

/** A checkout lives for 30 minutes; the shopper needs some of them for the form. */
const PLACED_FOR_MS = 20 * 60_000;
const ORDERS_MAX = 50;

/** Takes the money for orders, at most once for each. */
export class Payments {
  readonly #checks = new WeakMap<Order, Promise<void>>();

  constructor(
    private readonly gateway: Gateway,
    private readonly nowMs: () => number,
  ) {}

  /**
   * Makes an order of the basket: one, however often the button is clicked, and however often the
   * shopper goes back and on. Throws Refused and NoAnswer, and there is no order then.
   */
  place(shopper: Shopper, wish: Wish): Promise<Order> {
    const lines = linesOf(shopper);
    const asked = JSON.stringify([[...shopper.basket], wish]);
    const { placed } = shopper;
    const isSame = placed?.wish === asked && this.nowMs() - placed.atMs < PLACED_FOR_MS;
    if (isSame) return placed.order;
    const id = `shop-${randomUUID()}`;
    const order = this.#begin(shopper, {
      ...{ id, lines, totalCents: totalCents(lines), ...wish, outcome: { kind: 'open' } },
    });
    shopper.placed = { wish: asked, atMs: this.nowMs(), order };
    order.catch(() => (shopper.placed = undefined));
    return order;
  }

  /**
   * Learns from the gateway what has become of an order, unless that is known for good. Asked twice
   * at once it asks once, because the gateway tells a success to the first who asks.
   */
  check(shopper: Shopper, order: Order): Promise<void> {
    const running = this.#checks.get(order);
    if (running !== undefined) return running;
    const check = this.#check(shopper, order).finally(() => this.#checks.delete(order));
    this.#checks.set(order, check);
    return check;
  }

  async #begin(shopper: Shopper, order: Order): Promise<Order> {
    if (order.registrationId === undefined) {
      const { id, integrity, result } = await this.gateway.createCheckout(order);
      if (id === undefined || integrity === undefined) {
        throw new Refused((result.parameterErrors ?? []).map(({ name }) => name));
      }
      order.checkout = { id, integrity };
    }
    shopper.orders.set(order.id, order);
    const [oldest] = shopper.orders.keys();
    if (shopper.orders.size > ORDERS_MAX && oldest !== undefined) shopper.orders.delete(oldest);
    if (order.registrationId !== undefined) await this.#charge(order);
    note(shopper, order);
    return order;
  }

  async #check(shopper: Shopper, order: Order): Promise<void> {
    const { checkout, outcome } = order;
    if (outcome.kind === 'approved') return;
    if (checkout !== undefined) {
      const answer = await this.gateway.checkoutStatus(checkout.id).catch(unanswered);
      if (answer === undefined) order.outcome = { kind: 'pending' };
      // A page that is loaded too often learns nothing new.
      else if (answer.result.code === READ_TOO_OFTEN) order.outcome = waiting(outcome);
      else if (answer.result.code !== NOT_THERE) order.outcome = outcomeOf(order, answer);
      else await this.#search(order);
    } else if (outcome.kind !== 'declined') await this.#search(order);
    note(shopper, order);
  }

  /** The payments of an order are still there, whatever has become of the answers to it. */
  async #search(order: Order): Promise<void> {
    const payments = await this.gateway.paymentsOf(order).catch(unanswered);
    if (payments === undefined) order.outcome = { kind: 'pending' };
    // It has not reached the gateway, or not yet: sent again with its key it is one payment.
    else if (payments.length === 0 && order.registrationId !== undefined) await this.#charge(order);
    else order.outcome = outcomeOfAll(order, payments);
  }

  async #charge(order: Order): Promise<void> {
    const answer = await this.gateway.payWithCard(order).catch(unanswered);
    order.outcome = answer === undefined ? { kind: 'pending' } : outcomeOf(order, answer);
  }
}

/** What is bought is out of the basket, and a card that was kept is remembered by its id. */
function note(shopper: Shopper, { outcome, keepsCard }: Order): void {
  if (outcome.kind === 'approved') {
    shopper.basket.clear();
    const { registrationId } = outcome;
    if (keepsCard && registrationId !== undefined) shopper.registrationIds.add(registrationId);
  }
  // Whoever was declined may try again, which is another order.
  if (outcome.kind !== 'open' && outcome.kind !== 'pending') shopper.placed = undefined;
}

function waiting(outcome: Outcome): Outcome {
  return outcome.kind === 'open' ? { kind: 'pending' } : outcome;
}

/** Nobody knows, so it is asked again later; everything else is a mistake. */
function unanswered(error: unknown): undefined {
  if (error instanceof NoAnswer) return undefined;
  throw error;
}
