import { Variable } from '@sluice/service';
import { IsOptional, IsUrl } from 'class-validator';
import type { Acquirer } from '../acquirer.js';
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
};
