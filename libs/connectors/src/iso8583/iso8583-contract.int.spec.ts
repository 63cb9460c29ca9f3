import { afterAll, beforeAll, describe } from '@jest/globals';
import { connectorContract } from '../contract/connector-contract-fixture.js';
import { iso8583Subject } from './iso8583-subject-fixture.js';
import { HOST_START_WITHIN_MS, type JposHost, startJposHost } from '@sluice/testing';

describe.each(['ascii', 'binary'] as const)('in %s', (encoding) => {
  let host: JposHost;

  beforeAll(async () => {
    host = await startJposHost(encoding);
  }, HOST_START_WITHIN_MS);

  afterAll(() => host.stop());

  connectorContract(iso8583Subject(() => host, encoding));
});
