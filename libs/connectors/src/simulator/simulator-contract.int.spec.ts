import { afterAll, beforeAll } from '@jest/globals';
import { connectorContract } from '../contract/connector-contract-fixture.js';
import {
  SIMULATOR_START_WITHIN_MS,
  type SimulatorProcess,
  startSimulator,
} from './simulator-process-fixture.js';
import { simulatorSubject } from './simulator-subject-fixture.js';

let simulator: SimulatorProcess;

beforeAll(async () => {
  simulator = await startSimulator();
}, SIMULATOR_START_WITHIN_MS);

afterAll(() => simulator.stop());

connectorContract(simulatorSubject(() => simulator.url));
