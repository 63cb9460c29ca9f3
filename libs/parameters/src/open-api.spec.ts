import { describe, expect, it } from '@jest/globals';
import { type Kind, kinds } from './kinds.js';
import { catalogue } from './catalogue.js';
import { openApiDocument } from './open-api.js';
import { referenceTables } from './reference-tables.js';

interface FormSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly patternProperties: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

describe('the OpenAPI document', () => {
  const text = JSON.stringify(openApiDocument());
  const document = JSON.parse(text) as Document;
  const schemaOf = (name: string) => document.components.schemas[name] as FormSchema;

  it('has the paths that are served', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(
      Object.entries(document.paths).map(([path, item]) => [
        path,
        Object.keys(item).filter((key) => ['get', 'post'].includes(key)),
      ]),
    ).toEqual([
      ['/v1/payments', ['post']],
      ['/v1/payments/{id}', ['get', 'post']],
      ['/v1/query', ['get']],
      ['/v1/query/{id}', ['get']],
      ['/v3/query', ['get']],
      ['/v3/query/{id}', ['get']],
      ['/v1/resultcodes', ['get']],
    ]);
  });

  it('refers only to schemas that exist', () => {
    const references = Array.from(text.matchAll(/"#\/components\/schemas\/([A-Za-z]+)"/g));
    expect(references.length).toBeGreaterThan(10);
    for (const [, name = ''] of references) expect(schemaOf(name)).toBeDefined();
  });

  it('demands of a payment what increments demand too, and says who uses what', () => {
    const { required, properties } = schemaOf('PaymentRequest');
    expect(required).toEqual(['amount', 'currency', 'paymentType']);
    expect(properties['card.number']).toMatchObject({ writeOnly: true, 'x-used-by': ['payment'] });
    expect(properties['referenceUuid']).toBeDefined();
    expect(properties['overridePaymentType[brand]']).toBeUndefined();
  });

  it('demands only the type of every reference', () => {
    const { required, properties } = schemaOf('ReferenceRequest');
    expect(required).toEqual(['paymentType']);
    expect(properties).not.toHaveProperty(['card.number']);
    expect(properties['currency']?.['x-required-when']).toContain('`amount` is sent');
  });

  it('has maps as patterns that take their names', () => {
    const patterns = Object.keys(schemaOf('PaymentRequest').patternProperties);
    const pattern = patterns.find((each) => each.includes('customParameters')) ?? '';
    expect('customParameters[a.b]').toMatch(new RegExp(pattern, 'u'));
    expect('customParameters[a][b]').not.toMatch(new RegExp(pattern, 'u'));
  });
});

describe('the reference tables', () => {
  const lines = referenceTables().split('\n');

  it('have a row per parameter in both tables', () => {
    for (const key of Object.keys(catalogue)) {
      expect(lines.filter((line) => line.startsWith(`| \`${key}\` |`))).toHaveLength(2);
    }
  });

  it('have as many cells in each row as in its head', () => {
    const cells = (line: string): number => line.replaceAll(String.raw`\|`, '').split('|').length;
    let head = 0;
    for (const line of lines) {
      if (!line.startsWith('|')) head = 0;
      else if (head === 0) head = cells(line);
      else expect(cells(line)).toBe(head);
    }
  });

  it('say where the amount may be left out', () => {
    const matrix = lines.filter((line) => line.startsWith('| `amount` |'))[1]?.split(' | ');
    const place = (kind: Kind): number => 1 + kinds.indexOf(kind);
    expect(matrix?.[place('payment')]).toBe('R');
    expect(matrix?.[place('reversal')]).toBe('O');
    expect(matrix?.[place('read')]).toBe('-');
    expect(matrix?.[place('checkout')]).toBe('C');
  });
});
