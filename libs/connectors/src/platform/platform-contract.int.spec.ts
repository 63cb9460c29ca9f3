import { afterAll, beforeAll } from '@jest/globals';
import { SECOND_SLUICE_WITHIN_MS, type SecondSluice, startSecondSluice } from '@sluice/testing';
import { connectorContract } from '../contract/connector-contract-fixture.js';
import { platformSubject } from './platform-subject-fixture.js';

let gateway: SecondSluice;

beforeAll(async () => {
  gateway = await startSecondSluice();
}, SECOND_SLUICE_WITHIN_MS);

afterAll(() => gateway.stop());

connectorContract(platformSubject(() => gateway));
