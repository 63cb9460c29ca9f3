import type { SeededRandom } from '@sluice/testing';
import { interfaceRows } from './interface-rows.js';

/** A name that no parameter has, with why. */
export interface BrokenName {
  readonly name: string;
  readonly rule: string;
}

const names = new Set(interfaceRows.map(({ key }) => key));
const plain = interfaceRows.map(({ key }) => key).filter((key) => !key.includes('['));
const dotted = plain.filter((key) => key.includes('.'));

/** Some way to miss a name; what happens to be a name is drawn again. */
function near(
  rule: string,
  from: readonly string[],
  change: (key: string, random: SeededRandom) => string,
): (random: SeededRandom) => BrokenName {
  return (random) => {
    for (;;) {
      const key = random.pick(from);
      const name = change(key, random);
      if (!names.has(name) && name !== '') return { name, rule };
    }
  };
}

const lists = ['cart.items', 'cart.payments', 'marketPlace.sellers'] as const;
const fieldsOfLists = {
  'cart.items': 'name',
  'cart.payments': 'name',
  'marketPlace.sellers': 'id',
} as const;

function index(rule: string, ...indexes: readonly string[]): (random: SeededRandom) => BrokenName {
  return (random) => {
    const list = random.pick(lists);
    return { name: `${list}${random.pick(indexes)}.${fieldsOfLists[list]}`, rule };
  };
}

function travelIndex(random: SeededRandom): BrokenName {
  const name = random.pick([
    'airline.passengers[99].name',
    'airline.passengers[999].name',
    'airline.passengers[0].legs[99].flightNumber',
    'airline.passengers[99].legs[0].flightNumber',
  ]);
  return { name, rule: 'an index of a journey above 98' };
}

/** Ways to miss a name by one rule. */
export const brokenNames: readonly ((random: SeededRandom) => BrokenName)[] = [
  near('another case', plain, (key, random) => {
    const at = random.integer(0, key.length - 1);
    const letter = key.charAt(at);
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    return key.slice(0, at) + other + key.slice(at + 1);
  }),
  near('a letter too few', plain, (key, random) => {
    const at = random.integer(1, key.length - 1);
    return key.slice(0, at) + key.slice(at + 1);
  }),
  near('a letter too many', plain, (key) => `${key}x`),
  near('a space behind', plain, (key) => `${key} `),
  near('a part too many', plain, (key) => `${key}.more`),
  near('a part too few', dotted, (key) => key.slice(0, key.lastIndexOf('.'))),
  near('an index where none is', plain, (key) => `${key}[0]`),
  near('brackets for a dot', dotted, (key) => {
    const dot = key.lastIndexOf('.');
    return `${key.slice(0, dot)}[${key.slice(dot + 1)}]`;
  }),
  near(
    'a name of every object',
    ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
    (key) => key,
  ),
  near(
    'a bracket that does not close',
    ['customParameters[abc', 'cart.items[0.name'],
    (key) => key,
  ),
  near(
    'a placeholder',
    ['cart.items[n].name', 'customParameters', 'cart.items[].name'],
    (key) => key,
  ),
  index('an index above 999', '[1000]', '[99999]', '[4294967296]'),
  index('an index as nobody writes it', '[01]', '[-1]', '[+1]', '[1e1]', '[0x1]', '[ 1]', '[1.0]'),
  index('no index', '', '[]', '.0', '[a]'),
  travelIndex,
];
