import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is open to everybody; absent: access is needed. */
    isOpen?: true;
  }
}

/** A route that needs no access, and so takes no body. Every other one needs access. */
export const OpenToEverybody = () => RouteConfig({ isOpen: true });

/** Whether a request needs access; false if there is no such route. */
export function needsAccess({ routeOptions }: FastifyRequest): boolean {
  const { url, config } = routeOptions;
  return url !== undefined && config.isOpen !== true;
}
