import type { Provider } from '@nestjs/common';
import { BinTable } from '@sluice/answers';
import { CLOCK, LOGGER, made } from '@sluice/service-module';
import { widgetBundle } from '@sluice/widget';
import { AccessGuard } from './access-guard.js';
import { AttemptStandings } from './attempt-standings.js';
import { CancellableDelays } from './cancellable-delays.js';
import { CardRanges } from './card-ranges.js';
import { CheckoutBrands } from './checkout-brands.js';
import { CheckoutCompletion } from './checkout-completion.js';
import { CheckoutDeletions } from './checkout-deletions.js';
import { CheckoutReads } from './checkout-reads.js';
import { CheckoutSavings } from './checkout-savings.js';
import { CheckoutSender } from './checkout-sender.js';
import { CheckoutStatuses } from './checkout-statuses.js';
import { CheckoutWallets } from './checkout-wallets.js';
import { CommandClient } from './command-client.js';
import { SETTINGS, VAULT } from './edge-tokens.js';
import { OfferedRegistrations } from './offered-registrations.js';
import { PaymentInitiation } from './payment-initiation.js';
import { QueryClient } from './query-client.js';
import { RegisteredInstruments } from './registered-instruments.js';
import { RegistrationCreation } from './registration-creation.js';
import { RegistrationSender } from './registration-sender.js';
import { ThrottledIds } from './throttled-ids.js';
import { WidgetFiles } from './widget-files.js';
import { WidgetVersions } from './widget-versions.js';

/** What checkouts are made, completed and read with. */
export const checkoutProviders: readonly Provider[] = [
  made(
    WidgetVersions,
    { queries: QueryClient, machine: CLOCK },
    (parts) => new WidgetVersions({ ...parts, files: new WidgetFiles(widgetBundle) }),
  ),
  made(
    CheckoutSender,
    {
      ...{ commands: CommandClient, widgets: WidgetVersions },
      ...{ offered: OfferedRegistrations, settings: SETTINGS },
    },
    ({ commands, widgets, offered, settings }) =>
      new CheckoutSender(commands, widgets, offered, settings.checkoutLabel),
  ),
  made(
    OfferedRegistrations,
    { registered: RegisteredInstruments },
    ({ registered }) => new OfferedRegistrations(registered),
  ),
  made(
    CheckoutReads,
    { settings: SETTINGS, clock: CLOCK, throttledIds: ThrottledIds },
    ({ settings, clock, throttledIds }) =>
      new CheckoutReads(settings.checkoutReadsPerMinute, clock, throttledIds),
  ),
  made(
    CheckoutCompletion,
    {
      ...{ guard: AccessGuard, queries: QueryClient, checkouts: CheckoutSender },
      offered: OfferedRegistrations,
      ...{ payments: PaymentInitiation, registrations: RegistrationCreation },
      ...{ savings: CheckoutSavings, standings: AttemptStandings, clock: CLOCK },
    },
    (parts) => new CheckoutCompletion(parts),
  ),
  made(
    CheckoutSavings,
    {
      ...{ vault: VAULT, checkouts: CheckoutSender, payments: PaymentInitiation },
      ...{ clock: CLOCK, logger: LOGGER },
    },
    (parts) => new CheckoutSavings(parts),
  ),
  made(
    AttemptStandings,
    { queries: QueryClient, bins: BinTable, delays: CancellableDelays, clock: CLOCK },
    (parts) => new AttemptStandings(parts),
  ),
  made(
    CheckoutBrands,
    { guard: AccessGuard, queries: QueryClient, completion: CheckoutCompletion },
    (parts) => new CheckoutBrands(parts),
  ),
  made(
    CheckoutDeletions,
    {
      ...{ guard: AccessGuard, completion: CheckoutCompletion },
      ...{ registrations: RegistrationSender, savings: CheckoutSavings },
    },
    (parts) => new CheckoutDeletions(parts),
  ),
  made(
    CardRanges,
    {
      ...{ guard: AccessGuard, completion: CheckoutCompletion, bins: BinTable },
      ...{ clock: CLOCK, throttledIds: ThrottledIds },
    },
    (parts) => new CardRanges(parts),
  ),
  made(
    CheckoutWallets,
    {
      ...{ guard: AccessGuard, queries: QueryClient, completion: CheckoutCompletion },
      ...{ clock: CLOCK, throttledIds: ThrottledIds },
    },
    (parts) => new CheckoutWallets(parts),
  ),
  made(
    CheckoutStatuses,
    {
      ...{ queries: QueryClient, reads: CheckoutReads },
      ...{ registered: RegisteredInstruments, bins: BinTable, savings: CheckoutSavings },
    },
    (parts) => new CheckoutStatuses(parts),
  ),
];
