import { describe, expect, it } from '@jest/globals';
import { parseFault } from './fault.js';

describe('a fault', () => {
  it.each(['drop-before', 'drop-after', 'http-500', 'garbage', 'twice'])('%s', (text) => {
    expect(parseFault(text)).toEqual({ kind: text });
  });

  it.each([
    ['delay:0', 'delay', 0],
    ['delay:25000', 'delay', 25_000],
    ['late:600000', 'late', 600_000],
  ])('%s', (text, kind, delayMs) => {
    expect(parseFault(text)).toEqual({ kind, delayMs });
  });

  it.each(['', 'delay', 'delay:', 'delay:-1', 'late:600001', 'late:1s', 'drop', 'twice '])(
    '"%s" is none',
    (text) => {
      expect(parseFault(text)).toBeUndefined();
    },
  );
});
