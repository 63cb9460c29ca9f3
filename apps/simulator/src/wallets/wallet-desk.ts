import type { Clock } from '@sluice/service';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import { applePayToken } from './apple-pay-token.js';
import { clickToPayToken } from './click-to-pay-token.js';
import { merchantSession } from './merchant-session.js';
import { googlePayToken } from './google-pay-token.js';
import { samsungPayToken } from './samsung-pay-token.js';
import { walletScripts } from './wallet-scripts.js';
import type { WalletKeys } from './wallet-keys.js';
import { readOrder, type WalletOrder } from './wallet-order.js';
import { WALLETS_PATH } from './wallets-path.js';

/** A dozen short fields. */
const BODY_BYTES_MAX = 16 * 1024;
const FORM = 'application/x-www-form-urlencoded';
const NO_MERCHANT = {
  error: 'merchantIdentifier, displayName and the page of a merchant are needed.',
};
const MISSING = { error: 'This installation has no keys of wallets (SIMULATOR_WALLETS_FILE).' };

/** By the name that parameters have. */
const tokens: Readonly<
  Record<string, (keys: WalletKeys, order: WalletOrder, now: Date) => string | undefined>
> = {
  applePay: ({ applePay }, order, now) => applePayToken(applePay, order, now),
  googlePay: ({ googlePay }, order, now) =>
    order.entityId === undefined ? undefined : googlePayToken(googlePay, order, now),
  samsungPay: ({ samsungPay }, order, now) => samsungPayToken(samsungPay, order, now),
  clickToPay: ({ clickToPay }, order, now) => clickToPayToken(clickToPay, order, now),
};

/** Pages of every shop show its sheets. */
const FOR_PAGES = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * The wallets of shoppers, whose devices are this. For test installations, as all of the simulator.
 *
 * - `POST /wallets/{wallet}` with an amount and a card gives a new token, as the wallet itself would.
 * - `GET /wallets/apple-pay.js`, `google-pay.js` and `click-to-pay.js` are what pages load in place of the providers' own.
 * - `POST /wallets/applePay/session` confirms that a page is a merchant's, as Apple does: anybody's.
 */
export function walletDesk(
  keys: WalletKeys | undefined,
  clock: Pick<Clock, 'now'>,
): FastifyPluginCallback {
  return (server, _options, done) => {
    // Whatever the server around it does with forms, here they are read.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    );
    server.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, parsed) => parsed(null, String(body)),
    );
    server.addHook('onSend', (_request, reply, _payload, sent) => {
      void reply.headers(FOR_PAGES);
      sent();
    });
    for (const [name, text] of walletScripts()) {
      server.get(`${WALLETS_PATH}/${name}`, (_request, reply) =>
        reply
          .headers({
            'cache-control': 'no-cache',
            'content-type': 'text/javascript; charset=utf-8',
          })
          .send(text),
      );
    }
    server.post(`${WALLETS_PATH}/applePay/session`, ({ body }, reply) => {
      const session = merchantSession(typeof body === 'string' ? body : '', clock.now());
      return session === undefined
        ? refuse(reply, 400, NO_MERCHANT)
        : reply.type('application/json').send(JSON.stringify(session));
    });
    server.post<{ Params: { wallet: string }; Body: unknown }>(
      `${WALLETS_PATH}/:wallet`,
      ({ params: { wallet }, body }, reply) => {
        const make = Object.hasOwn(tokens, wallet) ? tokens[wallet] : undefined;
        if (make === undefined) {
          return refuse(reply, 404, { error: `Wallets are ${Object.keys(tokens).join(', ')}.` });
        }
        if (keys === undefined) return refuse(reply, 404, MISSING);
        const read = readOrder(body instanceof URLSearchParams ? body : new URLSearchParams());
        if ('error' in read) return refuse(reply, 400, read);
        const token = make(keys, read.order, new Date(clock.now()));
        const type = wallet === 'clickToPay' ? 'application/jose' : 'application/json';
        if (token !== undefined) return reply.type(type).send(token);
        return refuse(reply, 400, { error: 'entityId must say whose payment it is.' });
      },
    );
    done();
  };
}

function refuse(reply: FastifyReply, status: number, refusal: { error: string }): FastifyReply {
  return reply.code(status).type('application/json').send(JSON.stringify(refusal));
}
