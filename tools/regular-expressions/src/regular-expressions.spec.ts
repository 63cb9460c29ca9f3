import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue } from '@sluice/parameters';
import { readProjects, workspaceRoot } from '../../projects.mjs';
import { isTestFile, sourceFilesBelow } from '../../source-files.mjs';
import { filesThatBuildExpressions } from './built-expressions.js';
import { findExpressions } from './find-expressions.js';

// The checker's own JavaScript: nothing native, no process, no Java, so that it runs everywhere.
process.env['RECHECK_BACKEND'] = 'pure';
const { backtrackingProblem } = await import('./backtracking.js');

describe('the regular expressions of the product', () => {
  const found = readProjects()
    .flatMap(({ folder }) => sourceFilesBelow(workspaceRoot, folder))
    .filter((path) => !isTestFile(path))
    .map((path) => findExpressions(path, readFileSync(join(workspaceRoot, path), 'utf8')));

  it('were found', () => {
    expect(found.flatMap(({ fixed }) => fixed).length).toBeGreaterThan(10);
  });

  it('take time in line with their input, whatever it is', () => {
    const problems = found.flatMap(({ fixed }) =>
      fixed.flatMap(({ at, source, flags }) => {
        const problem = backtrackingProblem(source, flags);
        return problem === undefined ? [] : [`${at} /${source}/${flags}: ${problem}`];
      }),
    );
    expect(problems).toEqual([]);
  }, 120_000);

  it('are literals, except in the listed files', () => {
    const unlisted = found
      .flatMap(({ built }) => built)
      .filter(
        ({ at }) => filesThatBuildExpressions[at.slice(0, at.lastIndexOf(':'))] === undefined,
      );
    expect(unlisted).toEqual([]);
  });
});

describe('the patterns of the parameter catalogue', () => {
  const patterns = new Set(
    Object.values(catalogue).flatMap(({ format }) => {
      const { pattern } = format.schema;
      return typeof pattern === 'string' ? [pattern] : [];
    }),
  );

  it('were found', () => {
    expect(patterns.size).toBeGreaterThan(5);
  });

  it.each([...patterns])(
    '%s takes time in line with its input',
    (pattern) => {
      expect(backtrackingProblem(pattern, 'u')).toBeUndefined();
      expect(pattern).toMatch(/^\^.*\$$/u);
    },
    120_000,
  );
});

describe('the search', () => {
  const search = (text: string) => findExpressions('planted.ts', text);

  it('finds literals, and RegExp with a fixed text', () => {
    const text = "const a = /^x\\/[/]+$/iu;\nconst b = new RegExp('^y\\\\d$', 'g');\nRegExp(`z`);";
    expect(search(text).fixed).toEqual([
      { at: 'planted.ts:1', source: '^x\\/[/]+$', flags: 'iu' },
      { at: 'planted.ts:2', source: '^y\\d$', flags: 'g' },
      { at: 'planted.ts:3', source: 'z', flags: '' },
    ]);
  });

  it('finds them as arguments, in decorators and in templates', () => {
    const text = 'class C { @Matches(/^d$/) name = `${s.replace(/e/g, "")}`; }';
    expect(search(text).fixed.map(({ source }) => source)).toEqual(['^d$', 'e']);
  });

  it('tells patterns that are built while the program runs', () => {
    expect(search('new RegExp(`^${name}$`)').built).toHaveLength(1);
    expect(search('new RegExp(source, "u")').built).toHaveLength(1);
    expect(search('new RegExp(/a/)').built).toEqual([]);
  });

  it('takes a division for no expression', () => {
    expect(search('const half = total / 2 / parts;').fixed).toEqual([]);
  });
});

describe('the judgement', () => {
  let planted: readonly (string | undefined)[];
  beforeAll(() => {
    planted = ['^(a+)+$', '^(?:[a-z0-9]+[.-]?)+@x$', '^\\s+|\\s+$', '^(.*?,){8}P$'].map((source) =>
      backtrackingProblem(source, ''),
    );
  });

  it('reports planted expressions with exponential or polynomial time', () => {
    expect(planted.every((problem) => problem !== undefined)).toBe(true);
    expect(planted[0]).toContain('exponential');
  });

  it('accepts bounded and linear ones', () => {
    expect(backtrackingProblem('^[0-9]{1,10}\\.[0-9]{2}$', 'u')).toBeUndefined();
    expect(backtrackingProblem('^[A-Za-z]{3}(?:,[A-Za-z]{3})*$', '')).toBeUndefined();
  });
});
