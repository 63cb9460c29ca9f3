import { afterAll, beforeAll, describe } from '@jest/globals';
import { connectorContract } from '../contract/connector-contract-fixture.js';
import { iso8583Subject } from './iso8583-subject-fixture.js';
import { HOST_START_WITHIN_MS, type JposHost, startJposHost } from '@sluice/testing';

describe.each([
  { version: '1987', encoding: 'ascii' },
  { version: '1987', encoding: 'binary' },
  { version: '1993', encoding: 'ascii' },
  { version: '1993', encoding: 'binary' },
] as const)('by $version in $encoding', (spoken) => {
  let host: JposHost;

  beforeAll(async () => {
    host = await startJposHost(spoken);
  }, HOST_START_WITHIN_MS);

  afterAll(() => host.stop());

  connectorContract(iso8583Subject(() => host, spoken));
});
