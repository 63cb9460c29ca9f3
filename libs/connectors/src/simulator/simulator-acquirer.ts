import { Variable } from '@sluice/service';
import { IsOptional, IsUrl } from 'class-validator';
import { type Acquirer, EndpointRefused } from '../acquirer.js';
import { SimulatorConnector } from './simulator-connector.js';

/** Where the simulator is; test installations only (D-41). */
export class SimulatorAddress {
  @Variable('PAYMENTS_SIMULATOR_URL', {
    meaning: 'where the simulator is, on a test installation; without it payments are refused',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  readonly url?: string;
}

/** The simulated acquirer. */
export const simulator: Acquirer<SimulatorAddress> = {
  name: 'simulator',
  settings: SimulatorAddress,
  connect: ({ url }, { callTimeoutMs, maxInFlightMs, callsMax: connectionsMax }) =>
    url === undefined
      ? undefined
      : new SimulatorConnector({ url, callTimeoutMs, maxInFlightMs, connectionsMax }),
  connectTo: ({ address, settings, secretFiles, lookup }, limits) => {
    const { protocol, origin, pathname } = address;
    if ((protocol !== 'http:' && protocol !== 'https:') || pathname !== '/') {
      throw new EndpointRefused('A simulator is at an address with http or https, without a path');
    }
    if (Object.keys({ ...settings, ...secretFiles }).length > 0) {
      throw new EndpointRefused('A simulator takes no settings and no credentials');
    }
    const { callTimeoutMs, maxInFlightMs, callsMax: connectionsMax } = limits;
    const limited = { callTimeoutMs, maxInFlightMs, connectionsMax };
    return new SimulatorConnector({ url: origin, ...limited, ...(lookup && { lookup }) });
  },
};
