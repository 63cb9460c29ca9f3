import { describe, expect, it } from '@jest/globals';
import { FormParser } from './form-parser.js';
import { stored } from './stored.js';

describe('a security code in data of the merchant', () => {
  it('placeholder', () => {
    expect([FormParser, stored]).toHaveLength(2);
  });
});
