import { type CommandLine, parsed, wholeNumber, wishOf } from '@sluice/command-line';
import {
  type BrokerSecurity,
  runningKafka,
  startLocalKafka,
  stopKafkaOf,
} from '@sluice/local-kafka';
import { Argument, Command } from 'commander';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** In the checkout, where git ignores it; help shows no path of this machine. */
const FOLDER_SHOWN = '.sluice/kafka';
const FOLDER = fileURLToPath(new URL('../../../.sluice/kafka', import.meta.url));
/** Kafka's own. */
const PORT = 9_092;
/** Who may do everything on a broker with certificates: itself, and whoever makes topics. */
const SUPER_USERS = ['kafka', 'operator'];
const PORT_MAX = 65_535;

const commands = ['start', 'stop', 'status'] as const;

interface Wish {
  readonly command: (typeof commands)[number];
  readonly folder: string;
  readonly port: number;
  readonly security?: BrokerSecurity;
}

interface Options {
  readonly folder: string;
  readonly port?: number;
  readonly keystore?: string;
  readonly truststore?: string;
}

function described(): Command {
  return new Command('npm run kafka --')
    .description('A local Kafka that goes on until it is stopped.')
    .addArgument(new Argument('<what>', 'what to do').choices(commands))
    .option('--folder <folder>', 'where its data is', FOLDER_SHOWN)
    .option(
      '--port <number>',
      `with start: where it listens (default: ${PORT})`,
      wholeNumber(PORT_MAX),
    )
    .option('--keystore <file>', 'with start: its certificate and key, for mutual TLS')
    .option(
      '--truststore <file>',
      'with start: the authority of its clients; each may then do only what it was granted',
    );
}

function wished(described_: Command): CommandLine<Wish> & { kind: 'wish' | 'refused' } {
  const [command = 'status'] = described_.args as Wish['command'][];
  const { port, folder, keystore, truststore } = described_.opts<Options>();
  const isForStart = [port, keystore, truststore].some((value) => value !== undefined);
  if (isForStart && command !== 'start') {
    return refused(`--port, --keystore and --truststore do nothing with ${command}.`);
  }
  if ((keystore === undefined) !== (truststore === undefined)) {
    return refused('--keystore and --truststore belong together.');
  }
  const place = {
    ...{ command, port: port ?? PORT },
    folder: folder === FOLDER_SHOWN ? FOLDER : resolve(folder),
  };
  if (keystore === undefined || truststore === undefined) return { kind: 'wish', wish: place };
  const files = { keystoreFile: resolve(keystore), truststoreFile: resolve(truststore) };
  return { kind: 'wish', wish: { ...place, security: { ...files, superUsers: SUPER_USERS } } };
}

function refused(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason: `${reason} See --help.` };
}

async function start({ folder, port, security }: Wish): Promise<string> {
  const running = await runningKafka(folder);
  if (running !== undefined) return `Kafka is already running: KAFKA_BROKERS=${running.brokers}`;
  const place = { folder, port, ...(security !== undefined && { security }) };
  const kafka = await startLocalKafka({ ...place, outlivesProcess: true, benchmark: true });
  return `Kafka is running: KAFKA_BROKERS=${kafka.brokers} (process ${kafka.pid}, ${folder})`;
}

async function status({ folder }: Wish): Promise<string> {
  const running = await runningKafka(folder);
  if (running === undefined) {
    process.exitCode = 1;
    return 'Kafka is not running.';
  }
  return `Kafka is running: KAFKA_BROKERS=${running.brokers} (process ${running.pid})`;
}

async function perform(wish: Wish): Promise<string> {
  switch (wish.command) {
    case 'start':
      return start(wish);
    case 'stop':
      return (await stopKafkaOf(wish.folder)) ? 'Kafka has stopped.' : 'Kafka was not running.';
    case 'status':
      return status(wish);
  }
}

const wish = wishOf(parsed({ command: described(), words: process.argv.slice(2), read: wished }));
if (wish !== undefined) {
  try {
    process.stdout.write(`${await perform(wish)}\n`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
