import { describe, expect, it } from '@jest/globals';
import { reactionTo } from './scorer.js';

const asked = (parameters: Readonly<Record<string, string>>) =>
  reactionTo({ id: 'p1', parameters });

describe('the scorer of the simulator', () => {
  it('says little of a payment about which it is told nothing', () => {
    expect(asked({})).toEqual({ kind: 'answer', answer: { score: 10 }, delayMs: 0 });
    expect(reactionTo({ id: 'p1' })).toMatchObject({ answer: { score: 10 } });
  });

  it('says what it is told', () => {
    const told = { 'simulator.score': '83', 'simulator.decision': 'review' };
    expect(asked(told)).toMatchObject({ answer: { score: 83, decision: 'review' } });
  });

  it.each<[string, object]>([
    ['delay:50', { kind: 'answer', delayMs: 50 }],
    ['late:50', { kind: 'answer', delayMs: 50 }],
    ['drop-before', { kind: 'drop' }],
    ['http-500', { kind: 'http-500' }],
    ['garbage', { kind: 'garbage' }],
    ['twice', { kind: 'refuse' }],
    ['nonsense', { kind: 'refuse', reason: 'There is no fault "nonsense".' }],
  ])('misbehaves as it is told: %s', (fault, reaction) => {
    expect(asked({ 'simulator.fault': fault })).toMatchObject(reaction);
  });

  it('refuses what is no question', () => {
    for (const body of [undefined, null, {}, { id: 7 }]) {
      expect(reactionTo(body)).toMatchObject({ kind: 'refuse' });
    }
  });
});
