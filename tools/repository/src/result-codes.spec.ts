import { describe, expect, it } from '@jest/globals';
import { codes } from '@sluice/result-codes';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../../projects.mjs';
import { isTestFile, sourceFilesBelow } from '../../source-files.mjs';

const HOMES = [
  'libs/result-codes/src/',
  // Examples and refused values of parameters: there the text itself is what is meant.
  'libs/parameters/src/',
  'libs/testing/src/',
  // A merchant, who has the interface and nothing of the gateway.
  'apps/demo-shop/src/',
];

describe('a result code that has a name', () => {
  // Specs and the judges in tools and in libs/testing write codes out: they are what merchants see.
  const files = ['apps', 'libs']
    .flatMap((folder) => sourceFilesBelow(workspaceRoot, folder))
    .filter((file) => !isTestFile(file) && !HOMES.some((home) => file.startsWith(home)));

  it.each(Object.entries(codes))('%s is written as text nowhere else', (_name, code) => {
    const quoted = [`'${code}'`, `"${code}"`];
    const written = files.filter((file) => {
      const text = textOf(file);
      return quoted.some((literal) => text.includes(literal));
    });
    expect(written).toEqual([]);
  });
});

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(workspaceRoot, file), 'utf8');
  texts.set(file, text);
  return text;
}
