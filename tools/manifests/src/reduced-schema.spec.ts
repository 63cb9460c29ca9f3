import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from './json-schema.js';
import { reducedSchema } from './reduced-schema.js';

const text = { type: 'string', description: 'Some words.' };
const large: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field${index}`, text])),
  required: ['field0'],
};

describe('a reduced schema', () => {
  it('keeps every field at a level that is used, and no descriptions', () => {
    const schema = { type: 'object', properties: { b: text, a: text }, required: ['a'] };
    expect(reducedSchema(schema, [{ a: 'x' }])).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a'],
    });
  });

  it('lets a large part through that nobody uses', () => {
    const schema = {
      properties: { used: large, unused: large, list: { type: 'array', items: large } },
    };
    const { properties } = reducedSchema(schema, [{ used: { field0: 'x' } }]);
    expect(Object.keys(properties!['used']!.properties!)).toHaveLength(20);
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    expect(properties!['unused']).toEqual(open);
    expect(properties!['list']).toEqual({ type: 'array', items: open });
  });

  it('looks into lists and maps', () => {
    const schema: JsonSchema = {
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { inner: large } } },
        map: { type: 'object', additionalProperties: { properties: { inner: large } } },
      },
    };
    const uses = [{ list: [{ inner: { field1: 'x' } }], map: { any: { inner: { field1: 'x' } } } }];
    const { properties } = reducedSchema(schema, uses);
    expect(properties!['list']!.items!.properties!['inner']!.required).toEqual(['field0']);
    const { additionalProperties } = properties!['map']!;
    expect((additionalProperties as JsonSchema).properties!['inner']!.required).toEqual(['field0']);
  });

  it('follows references, also those of a schema to itself', () => {
    const node: JsonSchema = {
      type: 'object',
      properties: { name: text, next: { allOf: [{ $ref: '#/node' }], default: {} } },
    };
    const reduced = reducedSchema({ $ref: '#/node' }, [{ next: { name: 'x' } }], () => node);
    expect(reduced.properties!['next']!.properties!['name']).toEqual({ type: 'string' });
    const further = reduced.properties!['next']!.properties!['next'];
    expect(further).toEqual({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
  });

  it('throws where a reference leads nowhere', () => {
    expect(() => reducedSchema({ $ref: '#/node' }, [])).toThrow('#/node');
  });
});
