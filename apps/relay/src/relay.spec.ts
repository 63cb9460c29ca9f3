import { afterEach, expect, it } from '@jest/globals';
import process from 'node:process';
import { refuseToRelay } from './relay.js';

const { RELAYED_SERVICE } = process.env;

afterEach(() => {
  process.exitCode = undefined;
  if (RELAYED_SERVICE !== undefined) process.env['RELAYED_SERVICE'] = RELAYED_SERVICE;
});

it('is refused where nobody says whose relay it is, as wrong settings are', async () => {
  delete process.env['RELAYED_SERVICE'];
  await refuseToRelay();
  expect(process.exitCode).toBe(2);
});
