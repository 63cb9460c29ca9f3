import { describe, expect, it } from '@jest/globals';
import { catalogue, type Kind } from '@sluice/parameters';
import { seededRandom } from '@sluice/testing';
import { interfaceRows } from './interface-rows.js';
import { readingOf } from './notations.js';

type Row = (typeof catalogue)[keyof typeof catalogue];

const KIND_OF_SECTION: Readonly<Record<string, Kind>> = {
  '2.19 query': 'query',
  '2.19 reporting': 'report',
};
const DRAWS = 5;

function formatOf(key: string, section: string): Row['format'] {
  const row = catalogue[key as keyof typeof catalogue];
  const kind = KIND_OF_SECTION[section];
  const own: Readonly<Partial<Record<Kind, Row['format']>>> = 'formatIn' in row ? row.formatIn : {};
  return (kind === undefined ? undefined : own[kind]) ?? row.format;
}

describe('the second reading of the notations', () => {
  it('is there for every parameter of the interface', () => {
    const unread = interfaceRows.filter((row) => readingOf(row) === undefined);
    expect(unread.map(({ key, notation }) => `${key}: ${notation}`)).toEqual([]);
    expect(interfaceRows.length).toBeGreaterThanOrEqual(474);
  });

  it('has right and wrong values for every parameter', () => {
    const oneSided = interfaceRows.filter((row) => {
      const reading = readingOf(row);
      return reading?.accepted.length === 0 || reading?.broken.length === 0;
    });
    expect(oneSided.map(({ key }) => key)).toEqual([]);
  });

  it.each(interfaceRows)(
    "$section $key is read as the catalogue's format reads it",
    ({ section, key, ...row }) => {
      const reading = readingOf({ key, ...row });
      const format = formatOf(key, section);
      const differing: string[] = [];
      for (let draw = 0; draw < DRAWS; draw += 1) {
        const random = seededRandom(`${key} ${draw}`);
        for (const make of reading?.accepted ?? []) {
          const value = make(random);
          if (!format.accepts(value)) differing.push(`refuses ${JSON.stringify(value)}`);
        }
        for (const { rule, value: make, byParser } of reading?.broken ?? []) {
          const value = make(random);
          if (byParser === true) continue;
          if (format.accepts(value)) differing.push(`takes ${JSON.stringify(value)}: ${rule}`);
        }
      }
      expect(differing).toEqual([]);
    },
  );
});
