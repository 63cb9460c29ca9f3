import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { catalogue, meaningOf, requirementOf, structures } from '../src/catalogue.js';
import { kinds } from '../src/kinds.js';
import { notBuilt } from '../src/not-built.js';
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
const rowOf = (key: string): Parameter | undefined => new Map(rows).get(key);
const servedSections = new Set(['2.3', '2.4', '2.18', '2.19 query']);
const built = interfaceRows.filter(
  ({ section, key }) => servedSections.has(section) && rowOf(key) !== undefined,
);

describe('the catalogue against the interface', () => {
  it('has read the whole list', () => {
    expect(interfaceRows).toHaveLength(474);
    expect(new Set(interfaceRows.map(({ section, key }) => `${section} ${key}`)).size).toBe(474);
    expect(interfaceRows.every(({ requirement }) => /^[RCO]$/.test(requirement))).toBe(true);
  });

  it('serves sections 2.3, 2.4 and the queries of 2.19 whole, and of 2.18 what is built', () => {
    const served = ['2.3', '2.4', '2.19 query'];
    const whole = interfaceRows.filter(({ section }) => served.includes(section));
    expect(whole.filter(({ key }) => rowOf(key) === undefined)).toEqual([]);
    expect(built).toHaveLength(whole.length + 13);
  });

  it.each(built)(
    '$key is "$format", $requirement',
    ({ section, key, format, requirement, values }) => {
      const row = rowOf(key);
      const inQueries = section === '2.19 query';
      const ownFormat = inQueries ? row?.formatIn?.query : undefined;
      const ownRequirement = inQueries ? row?.requirementIn?.query : undefined;
      expect((ownFormat ?? row?.format)?.text).toBe(format);
      expect((ownRequirement ?? row?.requirement)?.letter).toBe(requirement);
      expect(row?.interface).toBe(ownFormat === undefined ? section.slice(0, 4).trim() : '2.3');
      if (values.includes('|')) expect(row?.format.values).toEqual(values.split('|'));
    },
  );

  it('knows every other name of it, and by name', () => {
    const others = interfaceRows.filter((row) => !built.includes(row));
    const expected = others.flatMap(({ key }) => namesOf(key)).filter((key) => !rowOf(key));
    expect(Object.values(notBuilt).flat().sort()).toEqual(expected.sort());
  });

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
    const listed = new Set(interfaceRows.map(({ key }) => key));
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
    for (const [key, row] of rows) expect(row.nameFormat !== undefined).toBe(key.includes('['));
  });

  it('with card data or secrets are neither kept nor echoed', () => {
    const hidden = rows.filter(([, { sensitivity }]) =>
      ['cardData', 'secret'].includes(sensitivity),
    );
    expect(hidden.map(([key]) => key)).toContain('card.cvv');
    for (const [, row] of hidden) expect([row.kept, row.echo]).toEqual([false, false]);
  });
});
