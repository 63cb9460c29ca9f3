import type { services } from './services.js';
import { type ServiceName, serviceNames, serviceRow } from './services.js';

/** The name of a route that a service answers, `<service>.<route>`. */
export type InternalRoute = {
  [Name in ServiceName]: (typeof services)[Name] extends { routes: infer Routes }
    ? `${Name}.${keyof Routes & string}`
    : never;
}[ServiceName];

/**
 * Who may call what inside the installation, over HTTP (D-44, D-45): the name of a query, or a
 * route of the vault, and the services that may. The caller is the one its certificate names.
 * Nobody may call a route that is not listed here; network policies derive from the same rows of
 * `services.ts`.
 */
export const internalCallers = Object.fromEntries(
  serviceNames.flatMap((name) =>
    Object.entries(serviceRow(name).routes ?? {}).map(([route, callers]) => [
      `${name}.${route}`,
      callers,
    ]),
  ),
) as Readonly<Record<InternalRoute, readonly ServiceName[]>>;
