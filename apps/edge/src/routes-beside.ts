import { codes } from '@sluice/result-codes';
import type { FastifyPluginCallback } from 'fastify';
import { loggedPath, type RequestPipeline } from './request-pipeline.js';

/**
 * Serves other routes on edge's port. They need no access and so get no bodies, unless they say that they
 * take them; each request is logged like those of merchants.
 */
export function routesBeside(
  routes: FastifyPluginCallback,
  pipeline: () => RequestPipeline,
): FastifyPluginCallback {
  return (server, _options, done) => {
    server.addHook('onRoute', (route) => {
      route.config = { ...route.config, openTo: 'everybody' };
    });
    server.addHook('onResponse', (request, reply, noted) => {
      const done = {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        resultCode: codes.requestSuccessful,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        ndc: pipeline().stamp().ndc,
      };
      pipeline().left(request);
      pipeline().note(done, request.routeOptions.url);
      noted();
    });
    void server.register(routes);
    done();
  };
}
