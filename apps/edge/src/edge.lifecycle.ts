import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
} from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { DependencyMissing, type HealthChecks, type OpenKeys } from '@sluice/service';
import type { LiveDirectory } from './access-directory.js';
import type { CancellableDelays } from './cancellable-delays.js';

/** The parts that begin and end. */
export interface EdgeLifecycleParts {
  readonly directory: LiveDirectory;
  readonly delays: CancellableDelays;
  readonly keys: OpenKeys;
  readonly health: HealthChecks;
  readonly http: HttpAdapterHost;
  /** How long requests in progress may take once it closes. */
  readonly closeWaitMs: number;
}

/**
 * What edge does before its first request, and at its end: it waits for requests in progress,
 * `closeWaitMs` at most. What is left then is cut off; the sweeper settles it, and merchants find
 * it by query (D-20).
 */
export class EdgeLifecycle
  implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  readonly #closed = new AbortController();
  #cut: Promise<void> | undefined;

  constructor(private readonly parts: EdgeLifecycleParts) {}

  async onApplicationBootstrap(): Promise<void> {
    const { directory, health } = this.parts;
    health.readyWhen('access directory', () => directoryLoaded(directory));
    await directory.start();
  }

  /** Before Nest stops listening. */
  onModuleDestroy(): void {
    const { directory, delays, http, closeWaitMs } = this.parts;
    directory.close();
    delays.end();
    const { signal } = this.#closed;
    this.#cut = pause(closeWaitMs, undefined, { signal }).then(
      () => (http.httpAdapter.getHttpServer() as Server).closeAllConnections(),
      () => undefined,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.#closed.abort();
    await this.#cut;
    this.parts.keys.close();
  }
}

/**
 * Without the directory no caller is known, so none is let in; another instance of edge may have
 * it.
 */
function directoryLoaded(directory: LiveDirectory): Promise<void> {
  if (directory.index !== undefined) return Promise.resolve();
  return Promise.reject(new DependencyMissing('Accounts has not answered yet.'));
}
