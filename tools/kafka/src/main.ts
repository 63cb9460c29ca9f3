import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrokerSecurity } from './broker-settings.js';
import { runningKafka, startLocalKafka, stopKafkaOf } from './local-kafka.js';

/** In the checkout, where git ignores it. */
const FOLDER = fileURLToPath(new URL('../../../.sluice/kafka', import.meta.url));
/** Kafka's own. */
const PORT = '9092';
/** Who may do everything on a broker with certificates: itself, and whoever makes topics. */
const SUPER_USERS = ['kafka', 'operator'];
const USAGE = `Usage: npm run kafka -- start [--port ${PORT}] [--folder .sluice/kafka]
                [--keystore FILE --truststore FILE]   mutual TLS, and nobody may more than he was given
       npm run kafka -- stop | status [--folder .sluice/kafka]
`;

interface Wish {
  readonly command: string | undefined;
  readonly folder: string;
  readonly port: number;
  readonly security?: BrokerSecurity;
}

function wish(): Wish | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        folder: { type: 'string', default: FOLDER },
        port: { type: 'string', default: PORT },
        keystore: { type: 'string' },
        truststore: { type: 'string' },
      },
    });
    const port = Number(values.port);
    const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
    const { keystore, truststore } = values;
    if (positionals.length !== 1 || !isPort) return undefined;
    const place = { command: positionals[0], folder: resolve(values.folder), port };
    if (keystore === undefined && truststore === undefined) return place;
    if (keystore === undefined || truststore === undefined) return undefined;
    const files = { keystoreFile: resolve(keystore), truststoreFile: resolve(truststore) };
    return { ...place, security: { ...files, superUsers: SUPER_USERS } };
  } catch {
    return undefined; // a flag that is not known
  }
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

async function perform(wished: Wish | undefined): Promise<string> {
  switch (wished?.command) {
    case 'start':
      return start(wished);
    case 'stop':
      return (await stopKafkaOf(wished.folder)) ? 'Kafka has stopped.' : 'Kafka was not running.';
    case 'status':
      return status(wished);
    default:
      process.exitCode = 2;
      return USAGE.trimEnd();
  }
}

try {
  process.stdout.write(`${await perform(wish())}\n`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
