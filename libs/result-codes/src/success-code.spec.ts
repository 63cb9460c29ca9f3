import { describe, expect, it } from '@jest/globals';
import { reviewedCode, successCode } from './success-code.js';

describe('the code of a success without one of its own', () => {
  it.each([
    ['INTERNAL', '000.100.110'],
    ['EXTERNAL', '000.100.112'],
    ['LIVE', '000.000.000'],
  ] as const)('in mode %s is %s', (mode, code) => {
    expect(successCode(mode)).toBe(code);
  });
});

describe('the code of an approval that was looked at', () => {
  it('is that of a success once it is released, and one of its own once it is rejected', () => {
    expect(reviewedCode('released', 'LIVE')).toBe('000.000.000');
    expect(reviewedCode('rejected', 'LIVE')).toBe('000.400.100');
  });
});
