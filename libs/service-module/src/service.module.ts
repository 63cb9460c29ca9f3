import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import {
  type Clock,
  HealthChecks,
  type Logger,
  type Metrics,
  noMetrics,
  noSetClocks,
  type SetClocks,
  systemClock,
} from '@sluice/service';
import { given, type Token, token } from './providers.js';

/** Repeats a step until what it needs is there (D-19); see `waitFor` of libs/service. */
export type WaitFor = <Result>(what: string, attempt: () => Promise<Result>) => Promise<Result>;

/** What a service gets from the process that it runs in; a process of its own gives all of it. */
export interface ServiceParts {
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Learns when the service can answer. */
  readonly health?: HealthChecks;
  readonly clock?: Clock;
  /** Which entities have clocks of their own; absent: none. */
  readonly setClocks?: SetClocks;
  /**
   * Absent: the start fails if something is not available at once, as in the sandbox, which starts
   * everything itself.
   */
  readonly waitFor?: WaitFor;
}

export const LOGGER: Token<Logger> = token('logger');
export const METRICS: Token<Metrics> = token('metrics');
export const CLOCK: Token<Clock> = token('clock');
export const SET_CLOCKS: Token<SetClocks> = token('set clocks');
export const WAIT_FOR: Token<WaitFor> = token('waitFor');

const atOnce: WaitFor = (_what, attempt) => attempt();

/**
 * What every service needs, for all of its modules: log, metrics, health, clocks, and how to wait.
 */
@Module({})
export class ServiceModule {
  static of({ logger, metrics, health, clock, setClocks, waitFor }: ServiceParts): DynamicModule {
    const providers = [
      given(LOGGER, logger),
      given(METRICS, metrics ?? noMetrics),
      given(HealthChecks, health ?? new HealthChecks()),
      given(CLOCK, clock ?? systemClock),
      given(SET_CLOCKS, setClocks ?? noSetClocks),
      given(WAIT_FOR, waitFor ?? atOnce),
    ];
    return {
      ...{ module: ServiceModule, global: true, providers },
      exports: [LOGGER, METRICS, HealthChecks, CLOCK, SET_CLOCKS, WAIT_FOR],
    };
  }
}
