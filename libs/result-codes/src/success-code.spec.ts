import { describe, expect, it } from '@jest/globals';
import { successCode } from './success-code.js';

describe('the code of a success without one of its own', () => {
  it.each([
    ['INTERNAL', '000.100.110'],
    ['EXTERNAL', '000.100.112'],
    ['LIVE', '000.000.000'],
  ] as const)('in mode %s is %s', (mode, code) => {
    expect(successCode(mode)).toBe(code);
  });
});
