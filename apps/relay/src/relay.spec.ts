import { afterEach, expect, it, jest } from '@jest/globals';
import process from 'node:process';
import { refuseToRelay } from './relay.js';

afterEach(() => {
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

it('is refused where nobody says whose relay it is, as wrong settings are', async () => {
  jest.replaceProperty(process, 'env', {});
  await refuseToRelay();
  expect(process.exitCode).toBe(2);
});
