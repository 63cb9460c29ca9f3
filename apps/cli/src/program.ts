import { servicesWithTables } from '@sluice/contracts';
import { Command, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { bashCompletion } from './bash-completion.js';
import { clockCommand } from './clock-commands.js';
import { cellsCommand } from './cells-command.js';
import {
  cellsOption,
  type Perform,
  serviceOption,
  type StoreFlags,
  withExample,
} from './command-parts.js';
import type { ForgetFlags } from './forget.js';
import type { RefillFlags } from './marks.js';
import type { ReleaseFlags } from './outbox.js';
import { replayCommand } from './replay-command.js';
import { riskCommand } from './risk-commands.js';
import { merchantAccountsCommand, routesCommand } from './routing-commands.js';
import type { RestoreFlags } from './restored-store.js';
import type { StreamFlags } from './streams.js';
import { listenCommand, triggerCommand, webhooksCommand } from './webhooks-commands.js';

/** How wide help is, so that the generated reference is the same everywhere. */
const HELP_WIDTH = 100;
const EXIT_CODES =
  'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 differences were found, 4 refused.';

/** Of the release that this command line belongs to. */
export function productVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** The whole command line; `perform` runs the work of the one that was typed. */
export function sluiceProgram(perform: Perform): Command {
  const program = new Command('sluice')
    .description("Sluice's command line for operators.")
    .option('--json', 'one JSON document on standard output')
    .option('--brokers <list>', 'Kafka brokers as host:port, separated by commas (KAFKA_BROKERS)')
    .option(
      '--data <folder>',
      'the data folder of a running sandbox or local cluster (SLUICE_DATA)',
    )
    .addHelpText('after', `\nsluice --version prints the version.\n${EXIT_CODES}`);
  program.addCommand(replayCommand(perform));
  program.addCommand(projectionsCommand(perform));
  program.addCommand(deadLettersCommand(perform));
  program.addCommand(outboxCommand(perform));
  program.addCommand(streamsCommand(perform));
  program.addCommand(forgetCommand(perform));
  program.addCommand(restoreCommand(perform));
  program.addCommand(marksCommand(perform));
  program.addCommand(topicsCommand(perform));
  program.addCommand(databaseCommand(perform));
  program.addCommand(migrationsCommand(perform));
  program.addCommand(cellsCommand(perform));
  program.addCommand(merchantAccountsCommand(perform));
  program.addCommand(routesCommand(perform));
  program.addCommand(riskCommand(perform));
  program.addCommand(webhooksCommand(perform));
  program.addCommand(listenCommand(perform));
  program.addCommand(triggerCommand(perform));
  program.addCommand(clockCommand(perform));
  program.addCommand(completionCommand(perform, program));
  for (const command of allCommands(program)) {
    command
      .exitOverride()
      .allowExcessArguments(false)
      .configureHelp({ helpWidth: HELP_WIDTH, showGlobalOptions: command !== program })
      .helpOption('-h, --help', 'print this');
    if (command.commands.length > 0) command.helpCommand(false);
  }
  return program;
}

/** A command and everything below it. */
export function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

function projectionsCommand(perform: Perform): Command {
  const command = new Command('projections').description('read models and their tables');
  const list = new Command('list')
    .description('every table set: version, state, lag, parked events')
    .action(() =>
      perform(list, async (session) =>
        (await import('./projection-state.js')).listProjections(session),
      ),
    );
  const describe = new Command('describe')
    .description('the table sets of one projection with each partition')
    .argument('<name>', 'e.g. transactions')
    .action((name: string) =>
      perform(describe, async (session) =>
        (await import('./projection-state.js')).describeProjection(session, name),
      ),
    );
  return command
    .addCommand(withExample(list, 'sluice projections list'))
    .addCommand(withExample(describe, 'sluice projections describe transactions'));
}

interface LetterFlags {
  readonly topic?: string;
  readonly projection?: string;
  readonly all?: true;
  readonly execute?: true;
}

function deadLettersCommand(perform: Perform): Command {
  const command = new Command('dead-letters').description(
    'messages and events that could not be handled: in .dead topics, or parked by projections',
  );
  const topic = new Option('--topic <topic>', 'only those of this topic');
  const projection = new Option('--projection <name>', 'only those that this projection parked');
  const list = new Command('list')
    .description('all of them, oldest first')
    .addOption(topic)
    .addOption(projection)
    .action((flags: LetterFlags) =>
      perform(list, async (session) =>
        (await import('./dead-letters.js')).listLetters(session, flags),
      ),
    );
  const show = new Command('show')
    .description('one of them with its content; personal data is left out')
    .argument('<id>', 'as the list shows it')
    .action((id: string) =>
      perform(show, async (session) => (await import('./dead-letters.js')).showLetter(session, id)),
    );
  const redrive = new Command('redrive')
    .description(
      'handle them again: commands are recorded as not performed, parked payments are folded again',
    )
    .argument('[ids...]', 'as the list shows them')
    .option('--all', 'all of them, or all that --topic or --projection selects')
    .addOption(topic)
    .addOption(projection)
    .option('--execute', 'do it; without this it only says what would be done')
    .action((ids: readonly string[], flags: LetterFlags) =>
      perform(redrive, async (session) =>
        (await import('./dead-letters.js')).redriveLetters(session, ids, flags),
      ),
    );
  return command
    .addCommand(withExample(list, 'sluice dead-letters list --topic payments.commands.v1'))
    .addCommand(withExample(show, 'sluice dead-letters show payments.commands.v1.dead:3:17'))
    .addCommand(withExample(redrive, 'sluice dead-letters redrive --all --execute'));
}

function streamsCommand(perform: Perform): Command {
  const command = new Command('streams').description('event streams of a service');
  const show = new Command('show')
    .description(
      "a stream's events, and a payment's state now or at any instant; no personal data. Looks into all cells of PAYMENTS_CELL_OWNER_DATABASE_URLS",
    )
    .argument('<id>', "the stream's id, or that of any of its transactions")
    .addOption(serviceOption())
    .option('--at <instant>', 'as it was then, e.g. 2031-05-04T13:30:00 (UTC)')
    .option('--version <number>', 'as it was after this many events')
    .action((id: string, flags: StreamFlags) =>
      perform(show, async (session) =>
        (await import('./streams.js')).showStream(session, id, flags),
      ),
    );
  return command.addCommand(
    withExample(
      show,
      'sluice streams show 018f2d3c9a7b4e5f8a9b0c1d2e3f4a5b --at 2031-05-04T13:30:00',
    ),
  );
}

function outboxCommand(perform: Perform): Command {
  const command = new Command('outbox').description(
    'events that the broker refused permanently, and the events of their streams behind them',
  );
  const list = new Command('list')
    .description('all of them, oldest first')
    .addOption(serviceOption())
    .action((flags: StoreFlags) =>
      perform(list, async (session) => (await import('./outbox.js')).listOutbox(session, flags)),
    );
  const show = new Command('show')
    .description('those of one stream with their content; personal data is left out')
    .argument('<id>', "the stream's id, or that of any of its transactions")
    .addOption(serviceOption())
    .action((id: string, flags: StoreFlags) =>
      perform(show, async (session) =>
        (await import('./outbox.js')).showOutbox(session, id, flags),
      ),
    );
  const release = new Command('release')
    .description('resume publishing for streams that stopped')
    .argument('[ids...]', "streams' ids, or those of any of their transactions")
    .addOption(serviceOption())
    .option('--all', 'every stream that has stopped')
    .option('--reason <text>', 'why, for the record of what operators did; no personal data')
    .option('--execute', 'do it; without this it only says what would be done')
    .action((ids: readonly string[], flags: ReleaseFlags) =>
      perform(release, async (session) =>
        (await import('./outbox.js')).releaseOutbox(session, ids, flags),
      ),
    );
  return command
    .addCommand(withExample(list, 'sluice outbox list'))
    .addCommand(withExample(show, 'sluice outbox show 018f2d3c9a7b4e5f8a9b0c1d2e3f4a5b'))
    .addCommand(
      withExample(release, 'sluice outbox release --all --execute --reason "limit raised"'),
    );
}

function forgetCommand(perform: Perform): Command {
  const command = new Command('forget')
    .description(
      'payments, and registrations that are over: destroy the keys of their personal data, so that nobody can read it again; money stays as it is',
    )
    .argument('<ids...>', 'their ids, or those of anything that was done to them')
    .addOption(serviceOption())
    .option('--reason <text>', 'why, for the record of what operators did; no personal data')
    .option('--execute', 'do it; without this it only says what would be done')
    .action((ids: readonly string[], flags: ForgetFlags) =>
      perform(command, async (session) =>
        (await import('./forget.js')).forgetStreams(session, ids, flags),
      ),
    );
  return withExample(
    command,
    'sluice forget 018f2d3c9a7b4e5f8a9b0c1d2e3f4a5b --execute --reason "request 2031-17"',
    'sluice forget 018f2d3c9a7b4e5f8a9b0c1d2e3f4a5c --service registrations --execute',
  );
}

const EXAMPLE_NDC = '8a8294174b7ecb28014b9699220015ca_3d8b9fc9575622c216ddf5b9bf256821';

function findCommand(perform: Perform): Command {
  const find = new Command('find')
    .description('every message of one request, by its ndc; only headers, never contents')
    .argument('<ndc>', 'as in the answer and in every log line')
    .option('--within <duration>', 'how far to look back, PnDTnHnMnS', 'PT1H')
    .action((ndc: string, flags: { within: string }) =>
      perform(find, async (session) =>
        (await import('./find-messages.js')).findMessages(session, ndc, flags),
      ),
    );
  return find;
}

function restoreCommand(perform: Perform): Command {
  const command = new Command('restore').description(
    'what to do once the database of a service that publishes events is back from a backup',
  );
  const finish = new Command('finish')
    .description(
      'give the restored store a new incarnation: read models are rebuilt from it, and lost events that topics still have are skipped',
    )
    .addOption(serviceOption())
    .option('--cells', 'give the stores of all cells the same one; where there are several cells')
    .option('--reason <text>', 'why, for the record of what operators did; no personal data')
    .option('--execute', 'do it; without this it only says what would be done')
    .action((flags: RestoreFlags) =>
      perform(finish, async (session) =>
        (await import('./restore.js')).finishRestore(session, flags),
      ),
    );
  return command.addCommand(
    withExample(finish, 'sluice restore finish --execute --reason "disk lost, restored to 14:20"'),
  );
}

function marksCommand(perform: Perform): Command {
  const command = new Command('marks').description(
    'what payments tell those who decide about other payments: of agreements, and of advised declines',
  );
  const refill = new Command('refill')
    .description("make the table of marks what payments' events say, while payments go on")
    .option('--reason <text>', 'why, for the record of what operators did; no personal data')
    .option('--execute', 'do it; without this it only says what would be done')
    .action((flags: RefillFlags) =>
      perform(refill, async (session) =>
        (await import('./marks.js')).refillPaymentMarks(session, flags),
      ),
    );
  return command.addCommand(
    withExample(refill, 'sluice marks refill --execute --reason "rows were deleted by mistake"'),
  );
}

const REPLICATION = /^[1-9]$/;

interface TopicFlags {
  readonly replicationFactor: string;
  readonly access?: true;
  readonly cells: number;
}

function topicsCommand(perform: Perform): Command {
  const command = new Command('topics').description('the topics that Sluice declares');
  const list = new Command('list')
    .description('declared topics beside those of the broker; exit code 3 when they differ')
    .addOption(cellsOption())
    .action(({ cells }: { cells: number }) =>
      perform(list, async (session) => (await import('./topics.js')).listTopics(session, cells)),
    );
  const apply = new Command('apply')
    .description('create the topics that are missing; nothing is changed or deleted')
    .option('--access', 'make the access rules of every service too (the broker must check them)')
    .option('--replication-factor <number>', 'copies of each new topic; 3 in production', '1')
    .addOption(cellsOption())
    .action(({ replicationFactor, access, cells }: TopicFlags) =>
      perform(apply, async (session) => {
        if (!REPLICATION.test(replicationFactor)) {
          const { usage } = await import('./exit-codes.js');
          throw usage('--replication-factor is a number from 1 to 9.');
        }
        const { applyDeclaredTopics } = await import('./topics.js');
        const copies = { replicationFactor: Number(replicationFactor) };
        return applyDeclaredTopics(session, { ...copies, withAccess: access === true, cells });
      }),
    );
  return command
    .addCommand(withExample(list, 'sluice topics list'))
    .addCommand(withExample(findCommand(perform), `sluice topics find ${EXAMPLE_NDC}`))
    .addCommand(withExample(apply, 'sluice topics apply --replication-factor 3'));
}

const NAMES_OF_SERVICES = `${servicesWithTables.join(', ')}; all when none is named`;

function databaseCommand(perform: Perform): Command {
  const command = new Command('database').description(
    'the PostgreSQL databases that the services use',
  );
  const prepare = new Command('prepare')
    .description(
      "create each service's schema, and the roles and passwords that its addresses name",
    )
    .argument('[services...]', NAMES_OF_SERVICES)
    .action((names: readonly string[]) =>
      perform(prepare, async (session) => {
        const { servicesNamed } = await import('./migrations.js');
        return (await import('./database.js')).prepareDatabase(session, servicesNamed(names));
      }),
    );
  return command.addCommand(withExample(prepare, 'sluice database prepare'));
}

function migrationsCommand(perform: Perform): Command {
  const command = new Command('migrations').description("the services' database schemas");
  const status = new Command('status')
    .description('which steps are done and which are pending; exit code 3 when some are pending')
    .argument('[services...]', NAMES_OF_SERVICES)
    .action((names: readonly string[]) =>
      perform(status, async (session) => {
        const { migrationStatus, servicesNamed } = await import('./migrations.js');
        return migrationStatus(session, servicesNamed(names));
      }),
    );
  const apply = new Command('apply')
    .description('run the pending steps, each schema in one transaction')
    .argument('[services...]', NAMES_OF_SERVICES)
    .action((names: readonly string[]) =>
      perform(apply, async (session) => {
        const { applyMigrations, servicesNamed } = await import('./migrations.js');
        return applyMigrations(session, servicesNamed(names));
      }),
    );
  return command
    .addCommand(withExample(status, 'sluice migrations status'))
    .addCommand(withExample(apply, 'sluice migrations apply payments'));
}

function completionCommand(perform: Perform, program: Command): Command {
  const completion = new Command('completion')
    .description('print a bash script that completes commands and flags')
    .action(() =>
      perform(completion, () => {
        const script = bashCompletion(program);
        return Promise.resolve({ data: { script }, text: script });
      }),
    );
  return withExample(completion, 'source <(sluice completion)');
}
