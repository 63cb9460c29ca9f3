import type { Clock } from '@sluice/service';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import { applePayToken } from './apple-pay-token.js';
import { googlePayToken } from './google-pay-token.js';
import { samsungPayToken } from './samsung-pay-token.js';
import type { WalletKeys } from './wallet-keys.js';
import { readOrder, type WalletOrder } from './wallet-order.js';
import { WALLETS_PATH } from './wallets-path.js';

/** A dozen short fields. */
const BODY_BYTES_MAX = 16 * 1024;
const FORM = 'application/x-www-form-urlencoded';
const MISSING = { error: 'This installation has no keys of wallets (SIMULATOR_WALLETS_FILE).' };

/** By the name that parameters have. */
const tokens: Readonly<
  Record<string, (keys: WalletKeys, order: WalletOrder, now: Date) => string | undefined>
> = {
  applePay: ({ applePay }, order, now) => applePayToken(applePay, order, now),
  googlePay: ({ googlePay }, order, now) =>
    order.entityId === undefined ? undefined : googlePayToken(googlePay, order, now),
  samsungPay: ({ samsungPay }, order, now) => samsungPayToken(samsungPay, order, now),
};

/**
 * The wallets of shoppers, whose devices are this: `POST /wallets/{wallet}` with an amount and a card
 * gives a new token, as the wallet itself would. For test installations, as all of the simulator.
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
        if (token !== undefined) return reply.type('application/json').send(token);
        return refuse(reply, 400, { error: 'entityId must say whose payment it is.' });
      },
    );
    done();
  };
}

function refuse(reply: FastifyReply, status: number, refusal: { error: string }): FastifyReply {
  return reply.code(status).type('application/json').send(JSON.stringify(refusal));
}
