import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** To whom the route is open; absent: access is needed. */
    openTo?: 'everybody' | 'shoppers';
  }
}

/** A route that needs no access, and so takes no body. */
export const OpenToEverybody = () => RouteConfig({ openTo: 'everybody' });

/** A route for forms of shoppers' browsers, which have no access. Every other one needs access. */
export const OpenToShoppers = () => RouteConfig({ openTo: 'shoppers' });

/** Whether a request needs access; false if there is no such route. */
export function needsAccess({ routeOptions }: FastifyRequest): boolean {
  const { url, config } = routeOptions;
  return url !== undefined && config.openTo === undefined;
}

/** Whether it may be a shopper's form. */
export function isOpenToShoppers({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.openTo === 'shoppers';
}
