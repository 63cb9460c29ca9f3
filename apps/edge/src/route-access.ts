import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** To whom the route is open; absent: access is needed. */
    openTo?: 'everybody' | 'shoppers';
    /** Of a route that is open to everybody: it takes what an issuer's page has a browser post. */
    takesBodies?: true;
    /** It may be the form of a page, which the browser's window then shows the answer to. */
    isSentByPages?: true;
    /** A switch may let in who has no credentials. */
    isStatus?: true;
  }
}

/** Of a route that needs no access, and nevertheless takes bodies. */
export const TAKES_BODIES = { takesBodies: true } as const;

/** A route that needs no access, and so takes no body. */
export const OpenToEverybody = () => RouteConfig({ openTo: 'everybody' });

/** A route for forms of shoppers' browsers, which have no access. Every other one needs access. */
export const OpenToShoppers = () => RouteConfig({ openTo: 'shoppers' });

/** The same for what a shop's page may send itself: a browser's window is sent on, and sees no JSON. */
export const OpenToPages = () => RouteConfig({ openTo: 'shoppers', isSentByPages: true });

/** A route that needs access, unless a channel's switch says otherwise (`statusWithoutAccess`). */
export const StatusOfCheckout = () => RouteConfig({ isStatus: true });

/** Whether a request needs access; false if there is no such route. */
export function needsAccess({ routeOptions }: FastifyRequest): boolean {
  const { url, config } = routeOptions;
  return url !== undefined && config.openTo === undefined;
}

/** Whether it reads the status of a checkout. */
export function readsStatus({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isStatus === true;
}

/** Whether it may be a shopper's form. */
export function isOpenToShoppers({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.openTo === 'shoppers';
}

/** Whether it may be the form of a page. */
export function isSentByPages({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isSentByPages === true;
}

/** Whether a body is read although nobody may say who sends it. */
export function takesBodiesOfAnybody({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.takesBodies === true;
}
