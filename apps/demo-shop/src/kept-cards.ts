import type { FastifyInstance } from 'fastify';
import type { Gateway } from './gateway.js';
import { isApproved, NOT_THERE } from './order.js';
import { cardsPage } from './pages/cards.js';
import { message } from './pages/message.js';
import { type Named, seeOther, type Shop } from './shop.js';
import type { Shopper } from './shoppers.js';

/** A card that the gateway keeps. */
export interface KeptCard {
  /** Of its registration. */
  readonly id: string;
  readonly brand: string;
  readonly last4Digits: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
}

const REMOVED_BEFORE = '100.350.101';

/** The cards that a shopper has had kept: seen, and removed. */
export function keptCards(
  server: FastifyInstance,
  { shop, gateway }: { readonly shop: Shop; readonly gateway: Gateway },
): void {
  server.get('/cards', async (request, reply) => {
    const cards = await cardsOf(gateway, shop.shopper(request, reply));
    return shop.show(request, reply, cardsPage(cards));
  });
  server.post<Named>('/cards/:id/remove', async (request, reply) => {
    const { registrationIds } = shop.shopper(request, reply);
    const { id } = request.params;
    if (registrationIds.has(id)) {
      const { result } = await gateway.removeCard(id);
      const isGone = isApproved(result.code) || result.code === REMOVED_BEFORE;
      if (!isGone) return shop.show(request, reply, message.notRemoved, 503);
      registrationIds.delete(id);
    }
    return seeOther(reply, '/cards');
  });
}

/** The cards as the gateway has them. One that it has no more is forgotten here, too. */
async function cardsOf(
  gateway: Gateway,
  { registrationIds }: Shopper,
): Promise<readonly KeptCard[]> {
  const answers = await Promise.all(
    [...registrationIds].map(async (id) => ({ ...(await gateway.card(id)), id })),
  );
  return answers.flatMap(({ id, card, paymentBrand = '', result }) => {
    if (result.code === NOT_THERE) registrationIds.delete(id);
    return card === undefined ? [] : [{ id, brand: paymentBrand, ...card }];
  });
}
