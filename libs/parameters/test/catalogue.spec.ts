import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { catalogue, meaningOf, requirementOf, structures } from '../src/catalogue.js';
import { type Kind, kinds } from '../src/kinds.js';
import type { Condition, Parameter } from '../src/parameter.js';
import { tolerated } from '../src/tolerated.js';

/** One parameter as the interface has it. */
interface InterfaceRow {
  readonly section: string;
  readonly key: string;
  readonly format: string;
  readonly requirement: string;
  readonly values: string;
}

/** The interface's parameters, all of them: the oracle of the catalogue (D-54). */
const interfaceRows: readonly InterfaceRow[] = readFileSync(
  new URL('parameters.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [section = '', key = '', format = '', requirement = '', values = ''] = fieldsOf(line);
    return { section, key, format, requirement, values };
  });

/** The fields of a CSV line; quotes are doubled inside quotes. */
function fieldsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), (match) =>
    (match[1] ?? match[2] ?? '').replaceAll('""', '"'),
  );
}

const NETWORKS = ['visa', 'mastercard', 'amex', 'diners', 'jcb', 'cartebancaire'];
const WALLETS = { walletA: 'applePay', walletB: 'googlePay', walletC: 'samsungPay' };

/** The names that stand for one key of the interface (D-53). */
function namesOf(key: string): readonly string[] {
  if (key.includes('<network>')) return NETWORKS.map((name) => key.replace('<network>', name));
  const wallet = Object.entries(WALLETS).find(([placeholder]) => key.startsWith(placeholder));
  return [wallet === undefined ? key : key.replace(...wallet)];
}

const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>);
const rowOf = (key: string): Parameter | undefined => rowsByKey.get(key);
const rowsByKey = new Map(rows);

/** Sections whose rows hold for one kind of request alone, where the same names mean other things. */
const KIND_OF_SECTION: ReadonlyMap<string, Kind> = new Map([
  ['2.19 query', 'query'],
  ['2.19 reporting', 'report'],
]);

/** Each row of the interface under each name that stands for it. */
const named = interfaceRows.flatMap((row) => namesOf(row.key).map((name) => ({ ...row, name })));

/** Lists of the interface that are bounds or a grammar, not values (D-53). */
const NO_LIST = /^(?:card\.expiryMonth|tokenAccount\.expiryMonth|cart\.items\[n\]\.tax|job\.)/;

describe('the catalogue against the interface', () => {
  it('has read the whole list', () => {
    expect(interfaceRows).toHaveLength(474);
    expect(new Set(interfaceRows.map(({ section, key }) => `${section} ${key}`)).size).toBe(474);
    expect(interfaceRows.every(({ requirement }) => /^[RCO]$/.test(requirement))).toBe(true);
  });

  it.each(named)(
    '$section $name is "$format", $requirement',
    ({ section, name, format, requirement, values }) => {
      const row = rowOf(name);
      const kind = KIND_OF_SECTION.get(section);
      const ownFormat = kind && row?.formatIn?.[kind];
      const ownRequirement = kind && row?.requirementIn?.[kind];
      expect((ownFormat ?? row?.format)?.text).toBe(format);
      expect((ownRequirement ?? row?.requirement)?.letter).toBe(requirement);
      if (kind === undefined) expect(row?.interface).toBe(section);
      else expect(row?.kinds).toContain(kind);
      if (values.includes('|') && !NO_LIST.test(name)) {
        expect(row?.format.values).toEqual(values.split('|'));
      }
    },
  );

  it('refuses none of its names', () => {
    for (const { key } of interfaceRows) {
      for (const name of namesOf(key)) {
        const example = name.replaceAll('[n]', '[0]').replace(/\[(name|key|brand)\]/, '[abc]');
        expect([name, meaningOf(example).kind]).not.toEqual([name, 'unknown']);
      }
    }
  });

  it('refuses none of the names that clients of the family send', () => {
    for (const name of tolerated) {
      expect([name, meaningOf(name.replace('[n]', '[0]')).kind]).toEqual([name, 'known']);
    }
  });
});

describe('rows', () => {
  it('have unique keys over all tables', () => {
    const keys = Object.values(structures).flatMap((table) => Object.keys(table));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(Object.keys(catalogue));
  });

  it('name where they come from when the interface has no such row', () => {
    const listed = new Set(named.map(({ name }) => name));
    const extras = rows.filter(([key]) => !listed.has(key)).map(([key]) => key);
    expect(extras).toEqual([
      'entityId',
      'testMode',
      'authentication.userId',
      'authentication.password',
      'authentication.entityId',
      'pageNo',
    ]);
  });

  it.each(rows)('%s has one accepted and one refused example in its form', (_, row) => {
    const named = [...(row.readInTests?.values() ?? [])];
    for (const format of [row.format, ...(row.nameFormat ? [row.nameFormat] : []), ...named]) {
      expect(format.accepts(format.accepted)).toBe(true);
      expect(format.accepts(format.refused)).toBe(false);
      expect(format.parse(format.accepted)).toBeDefined();
      expect(format.text).not.toBe('');
      expect(format.message).not.toBe('');
    }
  });

  it.each(rows)('%s has a schema that agrees with its examples', (_, { format }) => {
    const { pattern, minLength = 0, maxLength = Infinity, enum: values } = format.schema;
    const fits = (value: string): boolean =>
      (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
      (values === undefined || values.includes(value)) &&
      Array.from(value).length >= minLength &&
      Array.from(value).length <= maxLength;
    expect(fits(format.accepted)).toBe(true);
  });

  it.each(rows)('%s is described in one sentence', (_, { description, since }) => {
    expect(description).toMatch(/^[A-Z][^\n]{9,200}\.$/);
    expect(since).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+$/);
  });

  it('name existing keys in their conditions', () => {
    const conditions = rows.flatMap(([, row]) =>
      [row.requirement, ...Object.values(row.requirementIn ?? {})]
        .map(({ demanded }) => demanded)
        .filter((demanded): demanded is Condition => typeof demanded === 'object'),
    );
    expect(conditions.length).toBeGreaterThan(0);
    for (const key of conditions.flatMap(({ keys }) => keys)) {
      expect(rowOf(key)).toBeDefined();
    }
  });

  it('demand something else only where they apply', () => {
    for (const [, row] of rows) {
      for (const kind of kinds) {
        if (row.requirementIn?.[kind]) expect(row.kinds).toContain(kind);
        if (!row.kinds.includes(kind)) expect(requirementOf(row, kind)).toBeUndefined();
      }
    }
  });

  it('with brackets have a form for the name in them', () => {
    for (const [key, row] of rows) {
      const isMap = key.endsWith(']') && !key.includes('schemeData');
      expect([key, row.nameFormat !== undefined]).toEqual([key, isMap]);
    }
  });

  it('with card data or secrets are neither kept nor echoed', () => {
    const hidden = rows.filter(([, { sensitivity }]) =>
      ['cardData', 'secret'].includes(sensitivity),
    );
    expect(hidden.map(([key]) => key)).toContain('card.cvv');
    for (const [, row] of hidden) expect([row.kept, row.echo]).toEqual([false, false]);
  });
});
