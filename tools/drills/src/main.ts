import { wishOf } from '@sluice/command-line';
import {
  ClusterUnusable,
  LocalPrograms,
  PatientPrograms,
  ProgramFailed,
  ProgramMissing,
} from '@sluice/kubectl';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import process from 'node:process';
import { type DrillWish, readCommandLine } from './command-line.js';
import { DrillCluster, NotInTime } from './drill-cluster.js';
import { type DrillResult, runDrill } from './drill-run.js';
import { drillsOf } from './drills.js';
import { edgeUrl } from './edge-url.js';
import { jsonReport, reportText } from './report.js';
import { measureStarts, type StartFigures } from './starts.js';

const EXIT_FAILED = 1;
const EXIT_REFUSED = 2;
/** Pods of the drill before end with a grace of 45 s. */
const READY_WITHIN_MS = 120_000;

const wish = wishOf(readCommandLine(process.argv.slice(2)));
if (wish !== undefined) process.exitCode = await run(wish);

async function run(wish: DrillWish): Promise<number> {
  try {
    return (await drill(wish)) ? 0 : EXIT_FAILED;
  } catch (error) {
    if (error instanceof ClusterUnusable || error instanceof NotInTime) {
      process.stderr.write(`${error.message}\n`);
      return EXIT_REFUSED;
    }
    if (!(error instanceof ProgramFailed || error instanceof ProgramMissing)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_FAILED;
  }
}

/** All of them, one after the other; whether each was passed. */
async function drill(wish: DrillWish): Promise<boolean> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  // Ctrl-C ends the wait of the moment; what was changed is put back, and what was paid is compared.
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const programs = new PatientPrograms(new LocalPrograms(new AbortController().signal), { say });
  const cluster = new DrillCluster(programs, stopping.signal);
  const context = await cluster.context();
  const drills = drillsOf(wish.name, wish.pods, wish);
  const url = wish.url ?? (drills.length === 0 ? '' : await edgeUrl(cluster));
  const loadBefore = oneMinuteLoad();
  const results: DrillResult[] = [];
  let starts: StartFigures | undefined;
  try {
    for (const each of drills) {
      await cluster.untilReady(READY_WITHIN_MS);
      say(`${each.name}, at ${url}`);
      results.push(await runDrill(each, { cluster, url, say }));
    }
    // Last, so that what the others have left in memory counts.
    if (wish.name === 'starts' || wish.name === 'all') {
      await cluster.untilReady(READY_WITHIN_MS);
      say('starts');
      starts = await measureStarts(cluster, say);
    }
  } finally {
    // Those that have ended are told of whatever happens to the next one.
    const machine = { cores: availableParallelism(), loadBefore, loadAfter: oneMinuteLoad() };
    say(reportText({ context, ...machine }, { results, starts }));
    if (wish.report !== undefined) {
      await writeFile(wish.report, jsonReport({ context, ...machine }, { results, starts }));
    }
  }
  return [...results, ...(starts === undefined ? [] : [starts])].every(
    ({ faults }) => faults.length === 0,
  );
}

function oneMinuteLoad(): number {
  return loadavg()[0] ?? 0;
}
