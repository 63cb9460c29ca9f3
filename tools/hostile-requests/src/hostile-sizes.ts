import type { MakeHostile } from './hostile-parameters.js';
import { formText, hostile, validDebit } from './request-text.js';

/** S-INP-02. */
const NAME_MAX_BYTES = 256;
const VALUE_MAX_BYTES = 8 * 1024;
const BODY_MAX_BYTES = 1024 * 1024;
const PARAMETERS_MAX = 40_000;
const NESTING_MAX = 6;

export const nameSize: MakeHostile = (context, random) => {
  const size = NAME_MAX_BYTES + random.pick([-1, 0, 1, 2, 100, 10_000]);
  const frame = 'customParameters[]'.length;
  const name = `customParameters[${'k'.repeat(size - frame)}]`;
  const body = formText([...validDebit(context, random), [name, 'x']]);
  const isOver = size > NAME_MAX_BYTES;
  return hostile('size of a name', context, { body }, isOver ? 'refused' : 'answered');
};

export const valueSize: MakeHostile = (context, random) => {
  const size = VALUE_MAX_BYTES + random.pick([-1, 0, 1, 2, 1_000, 100_000]);
  const name = random.pick(['customParameters[note]', 'merchantMemo', 'card.number']);
  const body = formText([...validDebit(context, random), [name, 'v'.repeat(size)]]);
  const isOver = size > VALUE_MAX_BYTES;
  return hostile('size of a value', context, { body }, isOver ? 'refused' : 'answered');
};

export const nesting: MakeHostile = (context, random) => {
  const depth = NESTING_MAX + random.pick([0, 1, 2, 40]);
  const part = random.pick(['.a', '[a]', '[0]']);
  const body = formText([...validDebit(context, random), [`a${part.repeat(depth)}`, 'x']]);
  return hostile('nesting', context, { body }, 'refused');
};

export const parameterCount: MakeHostile = (context, random) => {
  const count = random.pick([PARAMETERS_MAX, PARAMETERS_MAX + 1, PARAMETERS_MAX * 2]);
  const isSame = random.chance(0.3);
  const many = Array.from({ length: count }, (_, index) => (isSame ? 'a=1' : `a${index}=1`));
  const body = `${formText(validDebit(context, random))}&${many.join('&')}`;
  return hostile('number of parameters', context, { body }, 'refused');
};

export const emptyPairs: MakeHostile = (context, random) => {
  const body = random.pick([
    '',
    '&',
    '=',
    '&&&&',
    '='.repeat(1_000),
    '&'.repeat(50_000),
    'a',
    '?a=b',
    '%',
    '+',
    `${formText(validDebit(context, random))}&=`,
  ]);
  return hostile('empty pairs', context, { body }, 'refused');
};

export const bodySize: MakeHostile = (context, random) => {
  const start = `${formText(validDebit(context, random))}&customParameters[note]=`;
  const size = BODY_MAX_BYTES + random.pick([0, 1, 70_000]);
  const body = start + 'x'.repeat(size - start.length);
  return hostile('size of the body', context, { body }, 'refused');
};
