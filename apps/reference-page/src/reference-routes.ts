import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { type ReferenceFiles } from './reference-files.js';
import { pagePaths } from './reference-page-frame.js';
import { sendFile } from './reference-page-file.js';

/** The routes of the reference, for a server of its own or for one that has others beside them. */
export function referenceRoutes(files: ReferenceFiles): FastifyPluginCallback {
  const send = async (
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const file = await files.file(path);
    if (file !== undefined) sendFile(request, reply, file);
    return reply;
  };
  return (server, _options, done) => {
    // Whoever types the address alone finds the way.
    server.get('/', (_request, reply) => reply.redirect(pagePaths.reference, 302));
    for (const path of files.paths) {
      server.get(path, (request, reply) => send(path, request, reply));
    }
    done();
  };
}
