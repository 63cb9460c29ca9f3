import { afterAll, beforeAll } from '@jest/globals';
import { currency } from '@sluice/money';
import { Cvv, Pan } from '@sluice/secrets';
import { describeConnectorContract } from '../connector-contract-fixture.js';
import type { ConnectorRequest } from '../connector.js';
import { SimulatorConnector } from './simulator-connector.js';
import {
  SIMULATOR_START_WITHIN_MS,
  type SimulatorProcess,
  startSimulator,
} from './simulator-process-fixture.js';

let simulator: SimulatorProcess;
let references = 0;

beforeAll(async () => {
  simulator = await startSimulator();
}, SIMULATOR_START_WITHIN_MS);

afterAll(() => simulator.stop());

function approved(more: Partial<ConnectorRequest> = {}): ConnectorRequest {
  references += 1;
  return {
    acquirerReference: `contract-${String(references)}`,
    operation: 'debit',
    amount: { minor: 9200n, currency: currency('EUR') },
    mode: 'INTERNAL',
    ...more,
  };
}

describeConnectorContract('simulator', {
  acquirerUrl: () => simulator.url,
  connectorTo: (address, connectionsMax) =>
    new SimulatorConnector({ url: address, connectionsMax }),
  approved,
  refused: () => approved({ testDirectives: { 'simulator.fault': 'no such fault' } }),
  card: {
    number: new Pan('4200000000000042'),
    expiryMonth: '05',
    expiryYear: '2034',
    cvv: new Cvv('918'),
  },
  bookings: async (reference) => {
    const text = await (await fetch(`${simulator.url}/book`)).text();
    return text.split('\n').filter((line) => line.includes(`"reference":"${reference}"`)).length;
  },
});
