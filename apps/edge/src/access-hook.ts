import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessGuard } from './access-guard.js';
import type { RequestBodies } from './request-bodies.js';
import type { RequestPipeline } from './request-pipeline.js';
import { needsAccess } from './route-access.js';

/**
 * What happens to a request before its body is read: access first (S-AUT-02), so that whoever has none
 * costs a look at a header. Bodies are read for those who may ask, and, in much less memory, for those
 * who say in the body who they are (wire contract D1).
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
    if (!needsAccess(request)) return true;
    const asker = this.accessGuard.identify(request);
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

  /** The body as bytes, or nothing where none is taken. Rejects with Refused. */
  async readBody(request: FastifyRequest): Promise<Buffer | undefined> {
    const { raw } = request;
    if (needsAccess(request)) return this.bodies.read(raw, !this.#unidentified.has(raw));
    raw.resume();
    return undefined;
  }
}
