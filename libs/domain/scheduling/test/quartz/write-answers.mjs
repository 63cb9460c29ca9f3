// Asks Quartz by Maven and writes answers.json beside this file; README.md says when.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  BLOCKS,
  expressionsOfBlock,
  SHOWN_DATES,
  SHOWN_EXPRESSIONS,
} from './random-expressions.mjs';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const folder = fileURLToPath(new URL('.', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'quartz-answers-'));

/** @returns {string} */
function run(/** @type {string} */ program, /** @type {string[]} */ words, input = '') {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    input,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

try {
  const classPathFile = join(work, 'class-path.txt');
  run('mvn', [
    ...['-q', '-B', '-f', join(folder, 'pom.xml'), 'dependency:build-classpath'],
    `-Dmdep.outputFile=${classPathFile}`,
  ]);
  const quartz = readFileSync(classPathFile, 'utf8').trim();
  run('javac', ['-cp', quartz, '-d', work, join(folder, 'QuartzAnswers.java')]);
  const classPath = [quartz, work].join(delimiter);

  /** @type {string[]} */
  const digests = [];
  /** @type {Record<string, { after: string, dates: string[] }>} */
  const shown = {};
  for (let block = 0; block < BLOCKS; block += 1) {
    const drawn = expressionsOfBlock(block);
    const input = drawn.map(({ forQuartz, startSeconds }) => `${startSeconds}\t${forQuartz}\n`);
    const answers = run('java', ['-cp', classPath, 'QuartzAnswers'], input.join(''));
    digests.push(createHash('sha256').update(answers).digest('hex'));
    if (block > 0) continue;
    const lines = answers.split('\n');
    for (const [index, { expression, startSeconds }] of drawn
      .slice(0, SHOWN_EXPRESSIONS)
      .entries()) {
      const dates = (lines[index] ?? '').split(',').filter(Boolean).slice(0, SHOWN_DATES);
      shown[expression] = { after: dateText(startSeconds), dates: dates.map(dateText) };
    }
  }
  writeFileSync(join(folder, 'answers.json'), `${JSON.stringify({ digests, shown }, null, 2)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** `2026-01-31 12:00:00`. @returns {string} */
function dateText(/** @type {number | string} */ seconds) {
  // eslint-disable-next-line sluice/no-float-money -- never of an amount
  return new Date(Number.parseInt(String(seconds), 10) * 1000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
}
