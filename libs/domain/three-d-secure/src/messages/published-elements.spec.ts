import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from './field-tables.js';
import { messageTypes } from './message-kinds.js';
import { published } from './published-elements-fixture.js';

describe('messages of 2.3.1', () => {
  it.each(messageTypes.filter((type) => type in published))(
    '%s has the elements that EMVCo publishes, and no other',
    (type) => {
      const ours = new Set(fieldsOf(type, '2.3.1').map(({ name }) => name));
      expect([...ours].sort()).toEqual((published[type] ?? '').split(/\s+/u).sort());
    },
  );
});
