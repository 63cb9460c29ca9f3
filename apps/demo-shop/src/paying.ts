import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { detailsOf } from './details.js';
import { checkoutPage, payPage } from './pages/checkout.js';
import { resultPage } from './pages/result.js';
import { type Payments, Refused } from './payments.js';
import { formOf, type Named, seeOther, type Shop } from './shop.js';
import { linesOf } from './shoppers.js';

/** What takes payments. */
interface Paying {
  readonly shop: Shop;
  readonly payments: Payments;
}

type Asked = FastifyRequest<Named>;

/** From the basket to the receipt. */
export function paying(server: FastifyInstance, parts: Paying): void {
  const { shop } = parts;
  server.get('/checkout', (request, reply) => {
    const { details } = shop.shopper(request, reply);
    const form = new URLSearchParams({ ...details });
    return showCheckout(shop, request, reply, { form, faults: [] });
  });
  server.post('/checkout', (request, reply) => placeOrder(parts, request, reply));
  server.get<Named>('/orders/:id/pay', (request, reply) => {
    const order = shop.shopper(request, reply).orders.get(request.params.id);
    if (order === undefined) return shop.nothingHere(request, reply);
    // Whoever comes here with the browser's back button sees what has become of it.
    const { checkout, outcome } = order;
    if (outcome.kind !== 'open') return seeOther(reply, `/orders/${order.id}`);
    const script = `${shop.inBrowser(request)}/v1/paymentWidgets.js?checkoutId=${checkout.id}`;
    return shop.show(request, reply, payPage(order, { script, integrity: checkout.integrity }));
  });
  server.get<Named>('/orders/:id', (request, reply) => showResult(parts, request, reply));
}

/** The form for the address, empty or as it was sent, with what is wrong in it. */
function showCheckout(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: { readonly form: URLSearchParams; readonly faults: readonly string[] },
): FastifyReply {
  const shopper = shop.shopper(request, reply);
  const lines = linesOf(shopper);
  if (lines.length === 0) return seeOther(reply, '/basket');
  const hasCards = shopper.registrationIds.size > 0;
  const status = request.method === 'POST' ? 400 : 200;
  return shop.show(request, reply, checkoutPage({ lines, hasCards, ...sent }), status);
}

/** Makes an order, and leads to the form in which it is paid. */
async function placeOrder(
  { shop, payments }: Paying,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shopper = shop.shopper(request, reply);
  const form = formOf(request);
  const { details, faults } = detailsOf(form);
  if (shopper.basket.size === 0 || faults.length > 0) {
    return showCheckout(shop, request, reply, { form, faults });
  }
  shopper.details = details;
  const wish = { details, keepsCard: form.has('keepsCard') };
  const placed = await payments.place(shopper, wish).catch((error: unknown) => {
    if (error instanceof Refused) return error;
    throw error;
  });
  if (placed instanceof Refused) {
    return showCheckout(shop, request, reply, { form, faults: placed.names });
  }
  return seeOther(reply, `/orders/${placed.id}`);
}

/** Where the gateway sends the shopper back to, with `id` and `resourcePath` behind the address. */
async function showResult(
  { shop, payments }: Paying,
  request: Asked,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shopper = shop.shopper(request, reply);
  const order = shopper.orders.get(request.params.id);
  if (order === undefined) return shop.nothingHere(request, reply);
  const { id, checkout, outcome } = order;
  const { resourcePath } = request.query;
  if (resourcePath !== undefined) {
    // Anybody can write such an address, so it is only compared with what the shop knows itself.
    const isOurs = resourcePath === `/v1/checkouts/${checkout.id}/payment`;
    if (isOurs) await payments.check(shopper, order);
    return seeOther(reply, `/orders/${id}`);
  }
  if (outcome.kind === 'open') return seeOther(reply, `/orders/${id}/pay`);
  if (outcome.kind === 'pending') await payments.check(shopper, order);
  return shop.show(request, reply, resultPage(order));
}
