import type { PlainPage } from '@sluice/html';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import type { AccessControlServer } from './access-control-server.js';
import { challengeResult } from './challenge-result.js';
import type { Authentication } from './authentication-book.js';
import { answerApp } from './app-challenge.js';
import { answerIn } from './challenge-form.js';
import { challengePage, refusalPage, sendOnPage } from './challenge-pages.js';
import { decoded, encoded, isTransactionId } from './messages.js';
import { isNetwork } from './networks.js';
import { forgottenPage, isWebAddress } from './way-back.js';

/** Where the pages of the ACS are below the address of a server. */
export const ACS_PATH = '/3ds';

/** CReq and what a shop adds to it have two kilobytes. */
const BODY_BYTES_MAX = 16 * 1024;
const FORM = 'application/x-www-form-urlencoded';
const JOSE = 'application/jose';
const WINDOW_SIZE = /^0[1-5]$/;
const SESSION_DATA_LENGTH_MAX = 1_024;

interface Challenge {
  readonly Params: { readonly network: string; readonly id: string };
}

/** Whatever the server around it does with forms, here they are read. */
type FormBody = { readonly Body: URLSearchParams | undefined };

/**
 * What browsers and apps see of the issuers' ACS.
 *
 * - `POST /3ds/{network}/method`: the page of the 3DS method, for a hidden frame.
 * - `POST /3ds/{network}/challenge`: takes CReq, and leads to the page of the challenge.
 * - `GET` and `POST /3ds/{network}/challenge/{acsTransID}`: the page, and what the shopper says there.
 * - `POST /3ds/{network}/app`: takes CReq of the SDK of an app, encrypted, and answers with CRes.
 * - `GET /3ds/book`: every authentication as it is now, one JSON object per line.
 */
export function acsPages(acs: AccessControlServer): FastifyPluginCallback {
  return (server, _options, done) => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    );
    server.get(`${ACS_PATH}/book`, (_request, reply) =>
      reply
        .type('application/x-ndjson')
        .send([...acs.book.lines()].map((line) => `${JSON.stringify(line)}\n`).join('')),
    );
    server.post<FormBody & Pick<Challenge, 'Params'>>(
      `${ACS_PATH}/:network/method`,
      ({ params, body }, reply) =>
        isNetwork(params.network)
          ? send(reply, methodPage(acs, body))
          : refuse(reply, 'There is no such network.', 404),
    );
    server.addContentTypeParser(
      JOSE,
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, parsed) => parsed(null, body),
    );
    server.post<{ readonly Body: unknown } & Pick<Challenge, 'Params'>>(
      `${ACS_PATH}/:network/app`,
      async ({ params, body }, reply) => {
        const answer = await answerApp(acs, params.network, typeof body === 'string' ? body : '');
        return reply.type(answer.type).send(answer.body);
      },
    );
    const challenge = `${ACS_PATH}/:network/challenge`;
    server.post<FormBody & Pick<Challenge, 'Params'>>(challenge, ({ params, body }, reply) => {
      const read = challengeIn(acs, params.network, body);
      if (typeof read === 'string') return refuse(reply, read, 400);
      // So that loading it again asks nobody to send a form twice.
      return reply.redirect(`challenge/${read.id}`, 303);
    });
    server.get<Challenge>(`${challenge}/:id`, ({ params }, reply) => {
      const found = foundIn(acs, params);
      return found ? send(reply, pageOf(found)) : refuse(reply, NO_CHALLENGE, 404);
    });
    server.post<Challenge & FormBody>(`${challenge}/:id`, async ({ params, body }, reply) => {
      const found = foundIn(acs, params);
      const form = body ?? new URLSearchParams();
      if (found === undefined) {
        const forgotten = forgottenPage(form);
        return forgotten ? send(reply.code(404), forgotten) : refuse(reply, NO_CHALLENGE, 404);
      }
      await acs.answer(found, answerIn(form));
      return reply.redirect(found.id, 303);
    });
    done();
  };
}

const NO_CHALLENGE =
  'There is no such challenge, or it was forgotten when the simulator was started again. Go back to the shop: it says what becomes of your payment.';

function send(reply: FastifyReply, page: PlainPage | string): FastifyReply {
  if (typeof page === 'string') return refuse(reply, page, 400);
  return reply.headers(page.headers).send(page.body);
}

function refuse(reply: FastifyReply, sentence: string, status: number): FastifyReply {
  return send(reply.code(status), refusalPage(sentence));
}

/** A challenge that somebody has come to with CReq. */
function foundIn(acs: AccessControlServer, { network, id }: Challenge['Params']) {
  const found = acs.book.find(id);
  return found?.request.network === network && found.isChallenged ? found : undefined;
}

function pageOf(authentication: Authentication): PlainPage {
  const { ending, request, sessionData, id } = authentication;
  const { notificationUrl } = request;
  if (ending === undefined) return challengePage(authentication, id);
  if (notificationUrl === undefined) return refusalPage('It knows no way back.');
  return sendOnPage(notificationUrl, {
    cres: encoded(challengeResult(authentication, ending.status)),
    ...(sessionData !== undefined && { threeDSSessionData: sessionData }),
  });
}

/** The challenge that CReq is about, or why it is none. */
function challengeIn(
  acs: AccessControlServer,
  network: string,
  body: URLSearchParams | undefined,
): Authentication | string {
  const request = decoded(body?.get('creq') ?? '');
  if (request === undefined) return 'The field creq must be a CReq in base64url.';
  const { messageType, acsTransID, threeDSServerTransID, messageVersion } = request;
  const { challengeWindowSize: size } = request;
  if (messageType !== 'CReq') return 'The field creq must be a CReq.';
  const found = isTransactionId(acsTransID) ? acs.book.find(acsTransID) : undefined;
  const isKnown =
    found?.request.network === network &&
    found.request.serverTransactionId === threeDSServerTransID &&
    found.decision.status === 'C' &&
    found.request.channel === 'browser';
  if (!isKnown) return 'CReq must name a challenge of this ACS.';
  if (messageVersion !== found.request.version) {
    return 'CReq must have the messageVersion of its AReq.';
  }
  if (typeof size !== 'string' || !WINDOW_SIZE.test(size)) {
    return 'CReq must have a challengeWindowSize of 01 to 05.';
  }
  const sessionData = body?.get('threeDSSessionData') ?? undefined;
  if (sessionData !== undefined && sessionData.length > SESSION_DATA_LENGTH_MAX) {
    return 'The field threeDSSessionData must have at most 1024 characters.';
  }
  acs.challenge(found, size, sessionData);
  return found;
}

/** Takes note of the browser, and lets it tell the 3-D Secure server. */
function methodPage(
  acs: AccessControlServer,
  body: URLSearchParams | undefined,
): PlainPage | string {
  const data = decoded(body?.get('threeDSMethodData') ?? '');
  const { threeDSServerTransID: id, threeDSMethodNotificationURL: url } = data ?? {};
  if (!isTransactionId(id)) return 'threeDSMethodData must name a threeDSServerTransID.';
  if (!isWebAddress(url)) {
    return 'threeDSMethodData must have a threeDSMethodNotificationURL of the web.';
  }
  acs.book.addMethod(id);
  return sendOnPage(url, { threeDSMethodData: encoded({ threeDSServerTransID: id }) });
}
