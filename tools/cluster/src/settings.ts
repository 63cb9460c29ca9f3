import {
  CLUSTER_DATA_FOLDER,
  type Flag,
  localFlags,
  LocalSettings,
} from '@sluice/local-installation';
import { KafkaSettings, loadSettings, SettingsError, Variable } from '@sluice/service';
import { IsOptional } from 'class-validator';
import { type Instances, parseInstances, scalable } from './instances.js';

/** What the cluster can be told beside what the sandbox can. */
export class ClusterSettings extends LocalSettings {
  override readonly dataFolder: string = CLUSTER_DATA_FOLDER;

  @Variable('SLUICE_INSTANCES', { parse: parseInstances })
  readonly instances: Instances = parseInstances('');

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
