import {
  CLUSTER_DATA_FOLDER,
  type Flag,
  localFlags,
  LocalSettings,
} from '@sluice/local-installation';
import { KafkaSettings, loadSettings, SettingsError, Variable } from '@sluice/service';
import { FIRST_CELL } from '@sluice/contracts';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { type Instances, parseInstances, scalable } from './instances.js';

/** One machine cannot use more: each has a process of payments and a relay. */
export const LOCAL_CELLS_MAX = 8;

/** What the cluster can be told beside what the sandbox can. */
export class ClusterSettings extends LocalSettings {
  override readonly dataFolder: string = CLUSTER_DATA_FOLDER;

  @Variable('SLUICE_INSTANCES', { parse: parseInstances })
  readonly instances: Instances = parseInstances('');

  @Variable('SLUICE_CELLS')
  @IsOptional()
  @IsInt()
  @Min(FIRST_CELL)
  @Max(LOCAL_CELLS_MAX)
  readonly cells?: number;

  @Variable('KAFKA_BROKERS', { parse: brokerList })
  @IsOptional()
  readonly brokers?: string;

  @Variable('SLUICE_NODE_OPTIONS', { parse: words })
  readonly nodeOptions: readonly string[] = [];
}

function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** Checked as every service will, so that the sentence comes before anything is started. */
function brokerList(text: string): string {
  try {
    return loadSettings(KafkaSettings, { KAFKA_BROKERS: text }).brokers.join(',');
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new Error('must be host:port, several with commas between', { cause: error });
  }
}

/** What `--help` lists, in this order. */
export const clusterFlags: readonly Flag<ClusterSettings>[] = [
  ...localFlags,
  {
    flag: '--instances <service=number,…>',
    variable: 'SLUICE_INSTANCES',
    description: `how many of ${scalable.join(', ')}; 1 of each by default`,
    property: 'instances',
  },
  {
    flag: '--cells <number>',
    variable: 'SLUICE_CELLS',
    description: `databases of payments, each with its own instances; as many as there are, 1 in a new folder`,
    property: 'cells',
  },
  {
    flag: '--kafka <host:port,…>',
    variable: 'KAFKA_BROKERS',
    description: 'an existing Kafka instead of a local one',
    property: 'brokers',
  },
  {
    flag: '--node-options <options>',
    variable: 'SLUICE_NODE_OPTIONS',
    description: 'what Node.js is told at the start of each service, as a profiler needs it',
    property: 'nodeOptions',
  },
];
