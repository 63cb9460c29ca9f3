import { describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nextRun, readExpression, timeZoneOf } from '../../src/index.js';
import {
  BLOCKS,
  DATES,
  type DrawnExpression,
  expressionsOfBlock,
  SHOWN_DATES,
} from './random-expressions.mjs';

/** Quartz's answers; README.md says where they come from. */
interface Answers {
  readonly digests: readonly string[];
  readonly shown: Readonly<Record<string, { readonly after: string; readonly dates: string[] }>>;
}

const SECOND_MS = 1000;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** All of them take minutes in a spec; each run compares some others. */
const BLOCKS_DRAWN = 8;
const isEveryBlock = process.env['TEST_QUARTZ_ALL'] === '1';
const WITHIN_MS = isEveryBlock ? 900_000 : 120_000;

const answers = JSON.parse(
  readFileSync(new URL('answers.json', import.meta.url), 'utf8'),
) as Answers;

describe('next dates', () => {
  it.each(Object.entries(answers.shown))('%s are those of Quartz', (text, { after, dates }) => {
    const found = datesMs(text, Date.parse(`${after.replace(' ', 'T')}Z`), SHOWN_DATES);
    const texts = found.map((ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' '));
    expect(texts).toEqual(dates);
  });

  it(
    `of expressions drawn by TEST_SEED=${SEED} are those of Quartz`,
    () => {
      const compared = blocks();
      const digests = compared.map((block) =>
        createHash('sha256').update(expressionsOfBlock(block).map(line).join('')).digest('hex'),
      );
      expect(digests).toEqual(compared.map((block) => answers.digests[block]));
      expect(answers.digests).toHaveLength(BLOCKS);
    },
    WITHIN_MS,
  );
});

/** The numbers of the blocks that are compared now. */
function blocks(): readonly number[] {
  const all = Array.from({ length: BLOCKS }, (_, block) => block);
  if (isEveryBlock) return all;
  const first = createHash('sha256').update(SEED).digest().readUInt32BE() % BLOCKS;
  const step = BLOCKS / BLOCKS_DRAWN;
  return all.slice(0, BLOCKS_DRAWN).map((index) => Math.floor(first + index * step) % BLOCKS);
}

function line({ expression, startSeconds }: DrawnExpression): string {
  const found = datesMs(expression, startSeconds * SECOND_MS, DATES);
  return `${found.map((ms) => String(ms / SECOND_MS)).join(',')}\n`;
}

function datesMs(text: string, afterMs: number, count: number): readonly number[] {
  const read = readExpression(text);
  const utc = timeZoneOf('UTC');
  if (read.kind === 'refused' || utc === undefined) throw new Error(`${text} is refused.`);
  const dates: number[] = [];
  let date: number | undefined = afterMs;
  while (dates.length < count) {
    date = nextRun(read.expression, utc, date);
    if (date === undefined) break;
    dates.push(date);
  }
  return dates;
}
