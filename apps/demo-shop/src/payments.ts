import { randomUUID } from 'node:crypto';
import { type Gateway, nameOfCard, NoAnswer } from './gateway.js';
import {
  type Checkout,
  type NewOrder,
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
export type Wish = Pick<Order, 'details' | 'keepsCard'>;

/** The gateway refuses what the shopper has typed, by the names of its parameters. */
export class Refused extends Error {
  constructor(readonly names: readonly string[]) {
    super(`The gateway refuses ${names.join(', ')}.`);
  }
}

/** A checkout lives for 30 minutes; the shopper needs some of them for the form. */
const PLACED_FOR_MS = 20 * 60_000;
const ORDERS_MAX = 50;
/** A checkout offers no more than the gateway takes; those that were kept last are the ones in use. */
const OFFERED_MAX = 30;

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
    const order = this.#begin(shopper, { id, lines, totalCents: totalCents(lines), ...wish });
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

  async #begin(shopper: Shopper, wanted: NewOrder): Promise<Order> {
    const checkout = await this.#checkoutFor(shopper, wanted);
    const order: Order = { ...wanted, checkout, outcome: { kind: 'open' } };
    shopper.orders.set(order.id, order);
    const [oldest] = shopper.orders.keys();
    if (shopper.orders.size > ORDERS_MAX && oldest !== undefined) shopper.orders.delete(oldest);
    return order;
  }

  /** A form that offers the cards of this shopper. One that the gateway has no more is forgotten here, too. */
  async #checkoutFor(shopper: Shopper, order: NewOrder): Promise<Checkout> {
    const { registrationIds } = shopper;
    const cards = [...registrationIds].slice(-OFFERED_MAX).reverse();
    const { id, integrity, result } = await this.gateway.createCheckout(order, cards);
    if (id !== undefined && integrity !== undefined) return { id, integrity };
    const refused = (result.parameterErrors ?? []).map(({ name }) => name);
    const gone = cards.filter((_, index) => refused.includes(nameOfCard(index)));
    if (gone.length === 0) throw new Refused(refused);
    for (const card of gone) registrationIds.delete(card);
    return this.#checkoutFor(shopper, order);
  }

  async #check(shopper: Shopper, order: Order): Promise<void> {
    const { checkout, outcome } = order;
    if (outcome.kind === 'approved') return;
    const answer = await this.gateway.checkoutStatus(checkout.id).catch(unanswered);
    if (answer === undefined) order.outcome = { kind: 'pending' };
    // A page that is loaded too often learns nothing new.
    else if (answer.result.code === READ_TOO_OFTEN) order.outcome = waiting(outcome);
    else if (answer.result.code !== NOT_THERE) order.outcome = outcomeOf(order, answer);
    else await this.#search(order);
    note(shopper, order);
  }

  /** What was paid for an order is still there, whatever has become of the answers to it. */
  async #search(order: Order): Promise<void> {
    const found = await this.gateway.transactionsOf(order).catch(unanswered);
    order.outcome = found === undefined ? { kind: 'pending' } : outcomeOfAll(order, found);
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
