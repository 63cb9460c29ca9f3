import type { Acquirer, CallLimits } from './acquirer.js';
import type { Connector } from './connector.js';
import { simulator } from './simulator/simulator-acquirer.js';

/**
 * Every acquirer with a connector, a row each. The first one that an installation is told of takes
 * its new payments.
 */
export const acquirers: readonly Acquirer[] = [simulator];

/** Settings of acquirers, by name; one that is not there is not used. */
export type AcquirerSettings = Readonly<Record<string, object>>;

/** The settings class of each acquirer, by its name. */
export const acquirerSettings: Readonly<Record<string, new () => object>> = Object.fromEntries(
  acquirers.map(({ name, settings }) => [name, settings]),
);

/** The connectors of an installation that is told this much, in the order of the table. */
export function connectorsFor(told: AcquirerSettings, limits: CallLimits): readonly Connector[] {
  return acquirers.flatMap((acquirer) => {
    const { name, settings: SettingsClass } = acquirer;
    const given = told[name];
    if (given === undefined) return [];
    // A copy of settings that were read would lack their secrets, which do not show themselves.
    const whole =
      given instanceof SettingsClass ? given : Object.assign(new SettingsClass(), given);
    return acquirer.connect(whole, limits) ?? [];
  });
}
