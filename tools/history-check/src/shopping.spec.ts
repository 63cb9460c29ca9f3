import { describe, expect, it } from '@jest/globals';
import { operationNames } from '@sluice/kill-test';
import { operationsSent } from './shopping.js';

describe('what merchants send', () => {
  it('is every operation that there is', () => {
    expect([...operationsSent].sort()).toEqual(Object.keys(operationNames).sort());
  });
});
