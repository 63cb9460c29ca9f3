import { describe, expect, it } from '@jest/globals';
import { readTraceparent, writeTraceparent } from './traceparent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`cc-${TRACE}-${SPAN}-01-what-a-later-version-adds`, true],
  ])('%s is read', (text, isSampled) => {
    expect(readTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });

  it.each([
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-0`,
    `00-${TRACE}-${SPAN}-01x`,
    `00-${TRACE}-${SPAN}`,
  ])('%s is none', (text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });

  it('is written as it is read', () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    expect(writeTraceparent(readTraceparent(text)!)).toBe(text);
  });
});
