import { KafkaMissing } from '@sluice/local-kafka';
import { runInstallation } from '@sluice/local-installation';
import { Cluster } from './cluster.js';
import { StartRefused } from './kept-process.js';
import { clusterFlags, ClusterSettings } from './settings.js';

await runInstallation({
  usage: 'npm run cluster --',
  description:
    'The whole gateway, every service a process of its own, with a local Kafka and PostgreSQL.',
  settings: ClusterSettings,
  flags: clusterFlags,
  shownFolder: '<repository>/.sluice-cluster',
  create: (settings) => new Cluster(settings),
  sentences: [KafkaMissing, StartRefused],
});
