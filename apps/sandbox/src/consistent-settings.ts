import { SettingRefused } from './setting-refused.js';
import type { SandboxSettings } from './settings.js';

/** What single settings cannot see. Throws SettingRefused. */
export function assertConsistent(settings: SandboxSettings): void {
  if (settings.reset && settings.databaseUrl !== undefined) {
    throw new SettingRefused(
      'With --database there is nothing for --reset to delete; empty that database yourself.',
    );
  }
  const { sendWindowMs, connectorTimeoutMs, maxInFlightMs, sweeperLeaseMs } = settings;
  const leaseMinMs = sendWindowMs + connectorTimeoutMs + maxInFlightMs;
  if (sweeperLeaseMs < leaseMinMs) {
    throw new SettingRefused(
      '--sweeper-lease must be at least --send-window, --connector-timeout and --max-in-flight ' +
        `together, ${leaseMinMs} ms: the sweeper must not meet a call that is still under way.`,
    );
  }
}
