import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { basketPage, printPage, printsPage } from './pages/catalogue.js';
import { prints } from './prints.js';
import { formOf, type Named, seeOther, type Shop } from './shop.js';
import { linesOf } from './shoppers.js';

/** Nobody has walls for more of one print. */
const QUANTITY_MAX = 9;

/** The prints and the basket: nothing here knows of payments. */
export function browsing(server: FastifyInstance, shop: Shop): void {
  const file = (path: string, type: string, content: string): void => {
    server.get(path, (_request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
        .type(type)
        .send(content),
    );
  };
  file('/shop.css', 'text/css; charset=utf-8', pageFile('shop.css'));
  file('/pay.js', 'text/javascript; charset=utf-8', pageFile('pay.js'));
  for (const { id, svg } of prints.values()) file(`/prints/${id}.svg`, 'image/svg+xml', svg);

  server.get('/', (request, reply) => shop.show(request, reply, printsPage()));

  server.get<Named>('/prints/:id', (request, reply) => {
    const print = prints.get(request.params.id);
    if (print === undefined) return shop.nothingHere(request, reply);
    return shop.show(request, reply, printPage(print));
  });

  server.get('/basket', (request, reply) =>
    shop.show(request, reply, basketPage(linesOf(shop.shopper(request, reply)))),
  );

  server.post('/basket', (request, reply) => {
    const { basket } = shop.shopper(request, reply);
    const form = formOf(request);
    const id = form.get('print') ?? '';
    // Without a quantity it is one more.
    const quantity = Number(form.get('quantity') ?? (basket.get(id) ?? 0) + 1);
    if (!prints.has(id) || !Number.isInteger(quantity)) return shop.nothingHere(request, reply);
    if (quantity < 1) basket.delete(id);
    else basket.set(id, Math.min(quantity, QUANTITY_MAX));
    return seeOther(reply, '/basket');
  });
}

function pageFile(name: string): string {
  return readFileSync(new URL(`../page/${name}`, import.meta.url), 'utf8');
}
