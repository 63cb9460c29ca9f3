import { describe, expect, it } from '@jest/globals';
import { newTransactionId } from '@sluice/identifiers';
import { keysOf } from './message-keys.js';

// 2026-11-23T18:45:12.345Z, written down apart.
const AT_MS = Date.UTC(2026, 10, 23, 18, 45, 12, 345);
const REFERENCE = `${AT_MS.toString(16).padStart(12, '0')}abcd0123456789abcdef`;
const TERMINALS = ['TERM0001', 'TERM0002', 'TERM0003'];

describe('the keys of a message', () => {
  it('have the time at which the id was made', () => {
    expect(keysOf(REFERENCE, TERMINALS)).toMatchObject({
      transmittedAt: '1123184512',
      localDateTime: '261123184512',
    });
  });

  it('are the same for the same reference, whoever asks', () => {
    expect(keysOf(REFERENCE, TERMINALS)).toEqual(keysOf(REFERENCE, [...TERMINALS]));
  });

  it('of its undo differ in the trace alone', () => {
    const submit = keysOf(REFERENCE, TERMINALS);
    const undo = keysOf(REFERENCE, TERMINALS, 'undo');
    expect(undo?.trace).not.toBe(submit?.trace);
    expect({ ...undo, trace: submit?.trace }).toEqual(submit);
  });

  it('of the refund of a late approval are its own', () => {
    const late = keysOf(`${REFERENCE}-late`, TERMINALS);
    expect(late?.retrievalReference).not.toBe(keysOf(REFERENCE, TERMINALS)?.retrievalReference);
  });

  it('fill their fields, and retrieval references are never shared', () => {
    const keys = Array.from({ length: 5_000 }, () => keysOf(newTransactionId(AT_MS), TERMINALS)!);
    for (const { trace, retrievalReference } of keys) {
      expect(trace).toMatch(/^(?!000000)[0-9]{6}$/u);
      expect(retrievalReference).toMatch(/^[0-9A-Z]{12}$/u);
    }
    expect(new Set(keys.map((each) => each.retrievalReference)).size).toBe(keys.length);
    expect(new Set(keys.map((each) => each.terminal)).size).toBe(TERMINALS.length);
  });

  it.each(['', 'contract-1', 'ABCDEF'])('do not exist for %j, which has no time', (reference) => {
    expect(keysOf(reference, TERMINALS)).toBeUndefined();
  });
});
