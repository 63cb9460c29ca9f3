import type { Provider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { BinTable } from '@sluice/answers';
import { EnvelopeSealer, HealthChecks } from '@sluice/service';
import { CLOCK, LOGGER, made } from '@sluice/service-module';
import { LiveDirectory } from './access-directory.js';
import { CancellableDelays } from './cancellable-delays.js';
import { CommandClient } from './command-client.js';
import { COMMANDS, derivedKey, IN_FLIGHT, KEYS, QUERIES, SETTINGS, VAULT } from './edge-tokens.js';
import { EdgeLifecycle } from './edge.lifecycle.js';
import { HeldInstruments } from './held-instruments.js';
import { IdempotencyClaims } from './idempotency-claims.js';
import { KeptParameters } from './kept-parameters.js';
import { PaymentInitiation } from './payment-initiation.js';
import { PaymentRegistrations } from './payment-registrations.js';
import { PaymentSender } from './payment-sender.js';
import { QueryClient } from './query-client.js';
import { RegisteredInstruments } from './registered-instruments.js';
import { RegistrationCreation } from './registration-creation.js';
import { RegistrationSender } from './registration-sender.js';
import { ScheduleSender } from './schedule-sender.js';
import { StandaloneRequests } from './standalone-requests.js';
import { StoredPayments } from './stored-payments.js';
import { ThrottledIds } from './throttled-ids.js';
import { UnrecordedIds } from './unrecorded-ids.js';

/** What operations answer with, and start and stop. */
export const answerProviders: readonly Provider[] = [
  made(
    CommandClient,
    {
      ...{ commands: COMMANDS, vault: VAULT, keys: KEYS, inFlight: IN_FLIGHT },
      ...{ settings: SETTINGS, clock: CLOCK, logger: LOGGER },
    },
    ({ commands, vault, keys, inFlight, settings, clock, logger }) => {
      return new CommandClient({
        ...{ commands, inFlight },
        instruments: new HeldInstruments(vault, clock, logger),
        kept: new KeptParameters(new EnvelopeSealer(keys.provider, clock), clock, logger),
        claims: new IdempotencyClaims(derivedKey(settings, 'idempotency fingerprint')),
      });
    },
  ),
  made(QueryClient, { queries: QUERIES }, ({ queries }) => new QueryClient(queries)),
  made(UnrecordedIds, { throttled: ThrottledIds, inFlight: IN_FLIGHT }, (parts) => {
    return new UnrecordedIds(parts.throttled, parts.inFlight);
  }),
  made(
    PaymentSender,
    {
      ...{ commands: CommandClient, queries: QUERIES, bins: BinTable, clock: CLOCK },
      ...{ delays: CancellableDelays, settings: SETTINGS },
    },
    ({ delays, settings, ...parts }) => {
      const duplicates = { waitMs: settings.duplicateWaitMs, delays };
      return new PaymentSender({ ...parts, duplicates });
    },
  ),
  made(RegisteredInstruments, { queries: QueryClient }, ({ queries }) => {
    return new RegisteredInstruments(queries);
  }),
  made(
    PaymentInitiation,
    {
      ...{ commands: CommandClient, payments: PaymentSender, registered: RegisteredInstruments },
      bins: BinTable,
    },
    ({ commands, payments, registered, bins }) => {
      const registrations = new PaymentRegistrations(commands);
      return new PaymentInitiation({ commands, payments, registered, registrations, bins });
    },
  ),
  made(
    StandaloneRequests,
    { commands: CommandClient, payments: PaymentSender, bins: BinTable },
    (parts) => new StandaloneRequests(parts),
  ),
  made(
    RegistrationSender,
    {
      ...{ commands: CommandClient, queries: QUERIES, bins: BinTable, clock: CLOCK },
      ...{ registered: RegisteredInstruments, delays: CancellableDelays, settings: SETTINGS },
    },
    ({ delays, settings, ...parts }) => {
      const duplicates = { waitMs: settings.duplicateWaitMs, delays };
      return new RegistrationSender({ ...parts, duplicates });
    },
  ),
  made(
    RegistrationCreation,
    { commands: CommandClient, registrations: RegistrationSender },
    ({ commands, registrations }) => new RegistrationCreation(commands, registrations),
  ),
  made(
    ScheduleSender,
    { commands: CommandClient, queries: QueryClient },
    ({ commands, queries }) => new ScheduleSender(commands, queries),
  ),
  made(
    StoredPayments,
    {
      ...{ commands: CommandClient, queries: QueryClient },
      ...{ registered: RegisteredInstruments, registrations: RegistrationSender },
    },
    (parts) => new StoredPayments(parts),
  ),
  made(
    EdgeLifecycle,
    {
      ...{ directory: LiveDirectory, delays: CancellableDelays, keys: KEYS },
      ...{ health: HealthChecks, http: HttpAdapterHost, settings: SETTINGS },
    },
    ({ settings: { closeWaitMs }, ...parts }) => new EdgeLifecycle({ ...parts, closeWaitMs }),
  ),
];
