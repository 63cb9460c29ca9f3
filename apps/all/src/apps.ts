import { type ServiceName, serviceNames } from '@sluice/contracts';
import type { InProcessContext } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';

/** What an app declares of a service, with how the sandbox starts it where it has no way of its own. */
export type AppDeclaration = ServiceDeclaration<InProcessContext>;

/**
 * What the app of each service declares. Each is loaded only when it is asked for, because an app
 * brings its framework. A new service is a line here and a row in `libs/contracts/src/services.ts`.
 */
export const apps: Readonly<Record<ServiceName, () => Promise<AppDeclaration>>> = {
  edge: async () => (await import('@sluice/edge')).edge,
  payments: async () => (await import('@sluice/payments')).payments,
  'payments-relay': async () => (await import('@sluice/relay')).relayOf('payments'),
  registrations: async () => (await import('@sluice/registrations')).registrations,
  'registrations-relay': async () => (await import('@sluice/relay')).relayOf('registrations'),
  checkouts: async () => (await import('@sluice/checkouts')).checkouts,
  vault: async () => (await import('@sluice/vault')).vault,
  risk: async () => (await import('@sluice/risk')).risk,
  scheduling: async () => (await import('@sluice/scheduling')).scheduling,
  'scheduling-relay': async () => (await import('@sluice/relay')).relayOf('scheduling'),
  webhooks: async () => (await import('@sluice/webhooks')).webhooks,
  sepa: async () => (await import('@sluice/sepa')).sepa,
  accounts: async () => (await import('@sluice/accounts')).accounts,
  reporting: async () => (await import('@sluice/reporting')).reporting,
  'reference-page': async () => (await import('@sluice/reference-page')).referencePage,
  simulator: async () => (await import('@sluice/simulator')).simulator,
};

/** All of them, by service. */
export async function declarations(): Promise<Readonly<Record<ServiceName, AppDeclaration>>> {
  const all: Partial<Record<ServiceName, AppDeclaration>> = {};
  // One after the other: they share most of what they load, and Jest links no two modules at once.
  for (const name of serviceNames) all[name] = await apps[name]();
  return all as Record<ServiceName, AppDeclaration>;
}
