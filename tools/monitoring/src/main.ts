import { wishOf } from '@sluice/command-line';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { type MonitoringWish, readCommandLine } from './command-line.js';
import { dashboards } from './dashboards.js';
import { processesOf, prometheusConfiguration } from './local-prometheus.js';
import { checkPanels, isGood, resultLine } from './panel-check.js';
import { plainRules } from './rules-file.js';

/** As fine as a panel of that width could show. */
const POINTS_MAX = 240;
const STEP_MIN_SECONDS = 5;

type Of<Command extends MonitoringWish['command']> = Extract<MonitoringWish, { command: Command }>;

async function writeConfiguration({ output, dataFolder, runbooks }: Of<'config'>): Promise<void> {
  const rules = plainRules(runbooks);
  const configuration = prometheusConfiguration(processesOf(dataFolder), 'rules.yml');
  await mkdir(output, { recursive: true });
  await writeFile(join(output, 'rules.yml'), rules);
  await writeFile(join(output, 'prometheus.yml'), configuration);
  process.stdout.write(`Written: ${join(output, 'prometheus.yml')} and rules.yml beside it.\n`);
}

async function check({ url, namespace, minutes }: Of<'check'>): Promise<boolean> {
  const toSeconds = Math.floor(Date.now() / 1_000);
  const stepSeconds = Math.max(STEP_MIN_SECONDS, Math.ceil((minutes * 60) / POINTS_MAX));
  const fromSeconds = toSeconds - minutes * 60;
  const scope = { namespace, fromSeconds, toSeconds, stepSeconds };
  const results = await checkPanels(dashboards, scope, url);
  for (const result of results) process.stdout.write(`${resultLine(result)}\n`);
  const refused = results.filter(({ error }) => error !== undefined).length;
  const empty = results.filter((result) => result.error === undefined && !isGood(result)).length;
  process.stdout.write(
    `${String(results.length)} queries: ${String(refused)} refused, ${String(empty)} without data.\n`,
  );
  return refused + empty === 0;
}

const words = process.argv.slice(2);
const wish = wishOf(readCommandLine(words, process.env['INIT_CWD'] ?? process.cwd()));
if (wish !== undefined) {
  try {
    if (wish.command === 'config') await writeConfiguration(wish);
    else process.exitCode = (await check(wish)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
