import { describe, expect, it } from '@jest/globals';
import { isEntityId } from './entity-id.js';
import { newMessageId } from './message-id.js';
import { ndcOfEntity, newNdc } from './ndc.js';

describe('a message id', () => {
  const now = Date.parse('2026-03-15T12:00:00.123Z');

  it('is a UUID of version 7 with its time in front', () => {
    const id = newMessageId(now);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
  });

  it('is new each time', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newMessageId(now))).size).toBe(10_000);
  });
});

describe('an ndc', () => {
  it('is the entity and 32 random hex digits', () => {
    const entityId = '0123456789abcdef0123456789abcdef';
    expect(newNdc(entityId)).toMatch(new RegExp(`^${entityId}_[0-9a-f]{32}$`));
    expect(newNdc(entityId)).not.toBe(newNdc(entityId));
  });

  it('has zeros for an unknown entity (D-35), until it is known', () => {
    const unknown = newNdc();
    expect(unknown).toMatch(/^0{32}_[0-9a-f]{32}$/);
    const entityId = '0123456789abcdef0123456789abcdef';
    expect(ndcOfEntity(unknown, entityId)).toBe(unknown.replace('0'.repeat(32), entityId));
  });
});

describe('an entity id', () => {
  it('is 32 lowercase hex digits (Interface 5)', () => {
    expect(isEntityId('0123456789abcdef0123456789abcdef')).toBe(true);
    for (const text of ['', '0'.repeat(31), 'A'.repeat(32), ` ${'0'.repeat(31)}`]) {
      expect(isEntityId(text)).toBe(false);
    }
  });
});
