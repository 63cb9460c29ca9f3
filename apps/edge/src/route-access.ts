import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is answered to whoever asks; absent: access is needed. */
    isOpen?: true;
  }
}

/** A route that needs no access, and so takes no body. Every other one needs access. */
export const OpenToEverybody = () => RouteConfig({ isOpen: true });

/** Whether a request may only be answered to somebody who has access; not where there is no route. */
export function needsAccess({ routeOptions }: FastifyRequest): boolean {
  const { url, config } = routeOptions;
  return url !== undefined && config.isOpen !== true;
}
