import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessGuard } from './access-guard.js';
import type { RequestBodies } from './request-bodies.js';
import type { RequestPipeline } from './request-pipeline.js';
import { isOpenToShoppers, needsAccess, takesBodiesOfAnybody } from './route-access.js';

/**
 * What happens to a request before its body is read: access first (S-AUT-02), so that a caller
 * without access costs no more than reading a header. Bodies are read for callers with access, and,
 * in much less memory, for those whose credentials are in the body (wire contract D1), and for shoppers,
 * who have none; nor has who reads a status where a switch allows that, or comes from an issuer's page.
 */
export class AccessHook {
  readonly #unidentified = new WeakSet<IncomingMessage>();

  constructor(
    private readonly accessGuard: AccessGuard,
    private readonly bodies: RequestBodies,
    private readonly pipeline: RequestPipeline,
  ) {}

  /** False: it is answered, and its body is not to be read. */
  receive(request: FastifyRequest, reply: FastifyReply): boolean {
    if (!needsAccess(request) && !isOpenToShoppers(request)) return true;
    const asker =
      isOpenToShoppers(request) || this.accessGuard.isStatusWithoutAccess(request)
        ? this.accessGuard.meetShopper(request)
        : this.accessGuard.identify(request);
    switch (asker.kind) {
      case 'refused':
        this.pipeline.refuse(request, reply, asker.refusal);
        return false;
      case 'inBody':
        this.#unidentified.add(request.raw);
        return true;
      case 'known':
        return true;
    }
  }

  /** The body as bytes, or undefined if the route takes none. Rejects with Refused. */
  async readBody(request: FastifyRequest): Promise<Buffer | undefined> {
    const { raw } = request;
    if (needsAccess(request) || isOpenToShoppers(request))
      return this.bodies.read(raw, !this.#unidentified.has(raw));
    // What is too long, or has no room, would only have woken somebody: the browser goes on without it.
    if (takesBodiesOfAnybody(request)) return this.bodies.read(raw, false).catch(() => undefined);
    raw.resume();
    return undefined;
  }
}
