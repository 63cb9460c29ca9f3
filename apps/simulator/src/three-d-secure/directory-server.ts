import { isLoopback, ListenError, type TlsMaterial } from '@sluice/service';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AccessControlServer, Begun } from './access-control-server.js';
import { readRequest } from './authentication-request.js';
import { preparation } from './card-ranges.js';
import { erro, isTransactionId, type Message, readMessage, type Refusal } from './messages.js';
import { isNetwork, type Network } from './networks.js';
import { isResultsUrl } from './result-sender.js';

/** AReq with all of a shopper's data has some kilobytes. */
const BODY_BYTES_MAX = 64 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';
/** Whoever waits longer for an answer that never comes is told to go. */
const NO_ANSWER_MS = 60_000;
const NEST_DEPTH = 2_000;
/** Of what an Erro says; notes are for people. */
const WORD_CHARACTERS_MAX = 200;

/** Where browsers find the pages of the ACS, without a slash at the end. */
export interface BrowserPages {
  /** Of the 3DS method; nobody's browser is known yet. */
  readonly method: () => string;
  /** Of challenges, given where the browser is to return to. */
  readonly challenge: (notificationUrl: string | undefined) => string;
}

/** What directory servers need. */
export interface DirectoryServerParts {
  readonly acs: AccessControlServer;
  readonly pages: BrowserPages;
  /** Absent: plain HTTP, to this machine alone. */
  readonly tls?: TlsMaterial | undefined;
}

interface NetworkParameter {
  readonly Params: { readonly network: string };
}

/**
 * The directory servers of all networks, on a port of their own: `POST /3ds/{network}` takes PReq and
 * AReq. Mutual TLS where the installation has certificates.
 */
export class DirectoryServer {
  readonly #server: FastifyInstance;

  constructor(private readonly parts: DirectoryServerParts) {
    const { tls } = parts;
    this.#server = Fastify({
      bodyLimit: BODY_BYTES_MAX,
      forceCloseConnections: true,
      serverFactory: (handler) => {
        if (tls === undefined) return createServer(handler);
        const identified = { requestCert: true, rejectUnauthorized: true } as const;
        const minVersion = 'TLSv1.2' as const;
        const server = createTlsServer({ ...identified, minVersion, ...tls.current }, handler);
        tls.onChange(() => server.setSecureContext({ minVersion, ...tls.current }));
        return server;
      },
    });
    // Read here, so that what is no JSON is answered as EMV has it.
    this.#server.removeAllContentTypeParsers();
    this.#server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, String(body)),
    );
    this.#server.post<NetworkParameter>('/3ds/:network', async (request, reply) => {
      const { network } = request.params;
      if (!isNetwork(network)) return reply.code(404).send({ error: 'There is no such network.' });
      return this.#receive(typeof request.body === 'string' ? request.body : '', network, reply);
    });
  }

  /** Listens and tells where. Throws ListenError: in clear it listens to its own machine alone. */
  async listen(host: string, port: number): Promise<string> {
    const { tls } = this.parts;
    if (tls === undefined && !isLoopback(host)) {
      throw new ListenError(`Without TLS files nobody would check who asks ${host}.`);
    }
    const url = await this.#server.listen({ host, port });
    // Of a server that was made elsewhere, Fastify does not know what it speaks.
    return tls === undefined ? url : url.replace(/^http:/, 'https:');
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    this.parts.acs.close();
    await this.#server.close();
  }

  #receive(text: string, network: Network, reply: FastifyReply): Promise<unknown> | FastifyReply {
    const message = readMessage(text);
    if (message === undefined) return refuse(reply, {}, { code: '101', detail: 'message' });
    switch (message['messageType']) {
      case 'PReq': {
        const read = preparation(
          message,
          network,
          `${this.parts.pages.method()}/${network}/method`,
        );
        if ('refusal' in read) return refuse(reply, message, read.refusal);
        return send(reply, read.value);
      }
      case 'AReq':
        return this.#authenticate(message, network, reply);
      case 'Erro':
        return this.#noteError(message, reply);
      default:
        return refuse(reply, message, { code: '101', detail: 'messageType' });
    }
  }

  /** What was wrong with an answer, which the book has then. An error is never answered with another one. */
  #noteError({ threeDSServerTransID, errorCode, errorDetail }: Message, reply: FastifyReply) {
    const { book } = this.parts.acs;
    const its = isTransactionId(threeDSServerTransID) && book.ofServer(threeDSServerTransID);
    const words = [errorCode, errorDetail].map((said) =>
      String(said).slice(0, WORD_CHARACTERS_MAX),
    );
    if (its) its.notes.push(`Erro has come for ARes: ${words.join(', ')}`);
    return reply.code(200).send();
  }

  async #authenticate(message: Message, network: Network, reply: FastifyReply): Promise<unknown> {
    const { acs, pages, tls } = this.parts;
    const read = readRequest(message, network);
    if ('refusal' in read) return refuse(reply, message, read.refusal);
    const { wishes, notificationUrl, resultsUrl } = read.value;
    if (!isResultsUrl(resultsUrl, tls !== undefined)) {
      return refuse(reply, message, { code: '203', detail: 'threeDSServerURL' });
    }
    const challengeUrl = `${pages.challenge(notificationUrl)}/${network}/challenge`;
    const begun = acs.begin(read.value, challengeUrl);
    if (wishes.delayMs !== undefined) await acs.wait(wishes.delayMs);
    return this.#answer(message, begun, reply);
  }

  async #answer(
    message: Message,
    { authentication, answer }: Begun,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { fault } = authentication.request.wishes;
    if (fault === undefined) return send(reply, answer);
    switch (fault) {
      case 'noAnswer':
        await this.parts.acs.wait(NO_ANSWER_MS);
        return drop(reply);
      case 'http500':
        return reply.code(500).type('text/plain').send('Internal Server Error');
      case 'notJson':
        return reply.type('text/html').send('<!doctype html><h1>It works!</h1>');
      case 'erro':
        return refuse(reply, message, { code: '403', detail: 'A test wants it.' });
      case 'wrongTransactionId':
        return send(reply, { ...answer, threeDSServerTransID: authentication.id });
      case 'wrongVersion':
        return send(reply, { ...answer, messageVersion: '2.9.0' });
      case 'hostileAcsUrl':
        return send(reply, { ...answer, acsURL: 'javascript:alert(document.domain)//https://' });
      case 'hostileJson':
        return reply.type(JSON_TYPE).send(hostile(answer));
      case 'noCryptogram':
      case 'rreqNever':
      case 'rreqLate':
      case 'rreqTwice':
      case 'rreqBeforeCreq':
      case 'rreqForged':
        return send(reply, answer);
    }
  }
}

function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

function send(reply: FastifyReply, message: Message): FastifyReply {
  return reply.type(JSON_TYPE).send(JSON.stringify(message));
}

/** EMV answers with HTTP 200 whatever is wrong with a message. */
function refuse(reply: FastifyReply, received: Message, refusal: Refusal): FastifyReply {
  return send(reply, erro(received, refusal, 'D'));
}

/** Names of every object, a status that is said twice, and a list in a list in a list. */
function hostile(answer: Message): string {
  const text = JSON.stringify(answer).slice(1);
  const nested = '['.repeat(NEST_DEPTH) + ']'.repeat(NEST_DEPTH);
  return `{"__proto__":{"transStatus":"Y"},"transStatus":"N","messageExtension":${nested},${text}`;
}
