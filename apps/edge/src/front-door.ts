import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Doorkeeper } from './admission.js';
import type { RequestBodies } from './request-bodies.js';
import type { RequestDesk } from './request-desk.js';

/** What nobody may ask for without access; everything else takes no body. */
const NEEDS_ACCESS = /^\/v[0-9]+\/(?:payments|query)(?:\/|$)/;

/**
 * What happens to a request before its body is read: access first (S-AUT-02), so that whoever has none
 * costs a look at a header. Bodies are read for those who may ask, and, in much less memory, for those
 * who say in the body who they are (wire contract D1).
 */
export class FrontDoor {
  readonly #unidentified = new WeakSet<IncomingMessage>();

  constructor(
    private readonly doorkeeper: Doorkeeper,
    private readonly bodies: RequestBodies,
    private readonly desk: RequestDesk,
  ) {}

  /** False: it is answered, and its body is not to be read. */
  receive(request: FastifyRequest, reply: FastifyReply): boolean {
    if (!needsAccess(request)) return true;
    const asker = this.doorkeeper.identify(request);
    switch (asker.kind) {
      case 'refused':
        this.desk.refuse(request, reply, asker.refusal);
        return false;
      case 'inBody':
        this.#unidentified.add(request.raw);
        return true;
      case 'known':
        return true;
    }
  }

  /** The body as bytes, or nothing where none is taken. Rejects with Refused. */
  async readBody(request: FastifyRequest): Promise<Buffer | undefined> {
    const { raw } = request;
    if (needsAccess(request)) return this.bodies.read(raw, !this.#unidentified.has(raw));
    raw.resume();
    return undefined;
  }
}

function needsAccess({ routeOptions }: FastifyRequest): boolean {
  return NEEDS_ACCESS.test(routeOptions.url ?? '');
}
