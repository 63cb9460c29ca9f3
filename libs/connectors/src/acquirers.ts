import {
  type AccountEndpoint,
  type Acquirer,
  type CallLimits,
  EndpointRefused,
  type InstallationPorts,
} from './acquirer.js';
import type { Connector } from './connector.js';
import { iso8583 } from './iso8583/iso8583-acquirer.js';
import { platform } from './platform/platform-acquirer.js';
import { sepa } from './sepa/sepa-acquirer.js';
import { simulator } from './simulator/simulator-acquirer.js';

/**
 * Every acquirer with a connector, one row each. Without routes, a new payment goes to the first one
 * that takes its instrument and for which the installation has settings.
 */
export const acquirers: readonly Acquirer[] = [iso8583, platform, sepa, simulator];

/** Settings of acquirers, by name; an acquirer without settings is not used. */
export type AcquirerSettings = Readonly<Record<string, object>>;

/** The settings class of each acquirer, by its name. */
export const acquirerSettings: Readonly<Record<string, new () => object>> = Object.fromEntries(
  acquirers.map(({ name, settings }) => [name, settings]),
);

/** The connectors of an installation with these settings, in the order of the table. */
export function connectorsFor(
  told: AcquirerSettings,
  limits: CallLimits,
  ports?: InstallationPorts,
): readonly Connector[] {
  return acquirers.flatMap((acquirer) => {
    const { name, settings: SettingsClass } = acquirer;
    const given = told[name];
    if (given === undefined) return [];
    // A copy of settings that were read would lack their secrets, which are not enumerable.
    const whole =
      given instanceof SettingsClass ? given : Object.assign(new SettingsClass(), given);
    return acquirer.connect(whole, limits, ports) ?? [];
  });
}

/**
 * The connector of a merchant account.
 * @throws EndpointRefused
 */
export function connectorTo(
  name: string,
  endpoint: AccountEndpoint,
  limits: CallLimits,
): Connector {
  const acquirer = acquirers.find((each) => each.name === name);
  if (acquirer?.connectTo !== undefined) return acquirer.connectTo(endpoint, limits);
  const names = acquirers.filter((one) => one.connectTo !== undefined).map((one) => one.name);
  throw new EndpointRefused(`There is no connector of this name; there are ${names.join(', ')}`);
}
