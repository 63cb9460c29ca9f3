import type { Provider } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { leniently, strictly } from '@sluice/contracts';
import { buildNumberOfFiles, type Clock, EntityClock, Outage } from '@sluice/service';
import { CLOCK, LOGGER, made, METRICS, SET_CLOCKS } from '@sluice/service-module';
import { LiveDirectory } from './access-directory.js';
import { AccessGuard, type AccessGuardParts } from './access-guard.js';
import { AccessHook } from './access-hook.js';
import { EdgeMetrics } from './edge-metrics.js';
import { ON_REQUEST_DONE, QUERIES, SETTINGS } from './edge-tokens.js';
import { ErrorsFilter } from './errors.filter.js';
import { routes } from './operations.js';
import { RefusalLimit } from './refusal-limit.js';
import { RequestBodies } from './request-bodies.js';
import { RequestPipeline } from './request-pipeline.js';
import { RouteTable } from './route-table.js';
import type { EdgeSettings } from './settings.js';
import { ThrottledIds } from './throttled-ids.js';
import { Throttles, throttlesOf } from './throttles.js';

/** Access, and what happens to a request before and after an operation. */
export const accessProviders: readonly Provider[] = [
  made(EdgeMetrics, { metrics: METRICS }, ({ metrics }) => new EdgeMetrics(metrics)),
  made(EntityClock, { machine: CLOCK, clocks: SET_CLOCKS }, ({ machine, clocks }) => {
    return new EntityClock(machine, clocks);
  }),
  made(Throttles, { settings: SETTINGS, clock: CLOCK }, ({ settings, clock }) =>
    throttlesOf(settings, clock),
  ),
  made(
    LiveDirectory,
    {
      ...{ queries: QUERIES, throttles: Throttles },
      ...{ settings: SETTINGS, clock: CLOCK, logger: LOGGER },
    },
    ({ queries, throttles, settings, clock, logger }) => {
      const outage = new Outage(clock, logger, {
        begins: 'The access directory cannot be refreshed.',
        goesOn: 'The access directory still cannot be refreshed.',
        ends: 'The access directory is refreshed again.',
      });
      const switches = settings.isLenient ? leniently : strictly;
      return new LiveDirectory(queries, outage, throttles, switches);
    },
  ),
  made(RequestBodies, { settings: SETTINGS, metrics: EdgeMetrics }, ({ settings, metrics }) =>
    bodiesOf(settings, metrics),
  ),
  made(
    AccessGuard,
    {
      ...{ directory: LiveDirectory, throttles: Throttles, throttledIds: ThrottledIds },
      ...{ machine: CLOCK, clock: EntityClock, bodies: RequestBodies, settings: SETTINGS },
    },
    ({ settings, ...parts }) => {
      return new AccessGuard({ ...parts, ...accessSettings(settings, parts.machine) });
    },
  ),
  made(
    RequestPipeline,
    {
      ...{ accessGuard: AccessGuard, logger: LOGGER, machine: CLOCK, metrics: EdgeMetrics },
      ...{ onRequestDone: ON_REQUEST_DONE, settings: SETTINGS },
    },
    ({ settings: { trustsTraceparent }, ...parts }) => {
      return new RequestPipeline({ ...parts, trustsTraceparent });
    },
  ),
  made(
    AccessHook,
    { guard: AccessGuard, bodies: RequestBodies, pipeline: RequestPipeline },
    ({ guard, bodies, pipeline }) => new AccessHook(guard, bodies, pipeline),
  ),
  made(ErrorsFilter, { pipeline: RequestPipeline, logger: LOGGER }, ({ pipeline, logger }) => {
    return new ErrorsFilter(pipeline, new RouteTable(routes), logger);
  }),
  { provide: APP_FILTER, useExisting: ErrorsFilter },
];

function bodiesOf(settings: EdgeSettings, metrics: EdgeMetrics): RequestBodies {
  const { bodyBytesMax: bytesMax, unidentifiedBodyBytesMax: unidentifiedBytesMax } = settings;
  const bodies = new RequestBodies({ bytesMax, unidentifiedBytesMax }, () =>
    metrics.turnedAway('memory'),
  );
  metrics.watchBodies(() => bodies.bytes);
  return bodies;
}

function accessSettings(
  { credentialKey, gatewayEnvironment: environment, ...settings }: EdgeSettings,
  clock: Clock,
): Omit<
  AccessGuardParts,
  'directory' | 'throttles' | 'throttledIds' | 'machine' | 'clock' | 'bodies'
> {
  const buildNumber = settings.buildNumber ?? buildNumberOfFiles(import.meta.url);
  const publicUrl = settings.publicUrl?.replace(/\/$/, '');
  const refusals = new RefusalLimit(settings.refusalsPerSecond, clock);
  const ownUrl = publicUrl === undefined ? {} : { publicUrl };
  return { credentialKey, environment, buildNumber, refusals, ...ownUrl };
}
