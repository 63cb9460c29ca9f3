import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { type RunningService, withDefaults } from '@sluice/service';
import {
  made,
  METRICS,
  ServerTransport,
  ServiceModule,
  type ServiceParts,
  startModule,
  TRANSPORT,
} from '@sluice/service-module';
import type { FastifyPluginCallback } from 'fastify';
import { ReferenceFiles, type ReferenceOptions } from './reference-files.js';
import { requestMeter } from './reference-page-metrics.js';
import { referenceRoutes } from './reference-routes.js';
import { referenceServer } from './reference-server.js';
import { ReferencePageSettings } from './settings.js';

/** What the service of the reference page is started with. */
export interface ReferencePageOptions extends ServiceParts {
  /** Absent ones have their defaults. */
  readonly settings?: Partial<ReferencePageSettings>;
}

/** The running service. */
export interface RunningReferencePage extends RunningService {
  /** Where it listens, e.g. `http://127.0.0.1:4000`. */
  readonly url: string;
}

/**
 * The reference as pages for people: static files, apart from the process that sees card data. It has
 * no database, no secrets and nobody to ask.
 */
@Module({})
export class ReferencePageModule {
  /** The same as routes for a server that is there already: in the sandbox, edge's own. */
  static routes(options: ReferenceOptions): FastifyPluginCallback {
    return referenceRoutes(new ReferenceFiles(options));
  }

  /** Listens. */
  static async start(options: ReferencePageOptions): Promise<RunningReferencePage> {
    const settings = withDefaults(ReferencePageSettings, options.settings ?? {});
    const running = await startModule(ReferencePageModule.of(options, settings), options.logger);
    return { url: running.get(ServerTransport).url, close: () => running.close() };
  }

  private static of(parts: ServiceParts, settings: ReferencePageSettings): DynamicModule {
    const { host, port, gatewayEnvironment: environment, isBesideInterface } = settings;
    const routes = ReferencePageModule.routes({ environment, isBesideInterface });
    return {
      module: ReferencePageModule,
      imports: [ServiceModule.of(parts)],
      providers: [
        made(ServerTransport, { metrics: METRICS }, ({ metrics }) => {
          const server = referenceServer(routes, requestMeter(metrics));
          return new ServerTransport(
            () => server.listen({ host, port }),
            () => server.close(),
          );
        }),
        { provide: TRANSPORT, useExisting: ServerTransport },
      ],
    };
  }
}
