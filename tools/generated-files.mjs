// Every committed file that is made from code, with the function that makes it. The libraries are
// imported as they are built, through their indexes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentPage } from './document-pages.mjs';
import { currencyTable } from './currency-table.mjs';
import { widgetReference } from './widget-reference.mjs';

/**
 * @typedef {object} GeneratedFile
 * @property {string} path relative to the root
 * @property {(text: string) => Promise<string>} make the whole text, ending in a newline; the same for the same code.
 * Takes what is there now, for files that are made in parts; it is empty where there is no file
 */

const parameters = () => import('@sluice/parameters');
const resultCodes = () => import('@sluice/result-codes');
const contracts = () => import('@sluice/contracts');
const threeDSecure = () => import('@sluice/domain-three-d-secure');
const commandLine = () => import('@sluice/cli');
const manifests = () => import('@sluice/manifests');
const monitoring = () => import('@sluice/monitoring');
/** Each is a ConfigMap of k8s/components/monitoring/kustomization.yaml. */
const dashboards = ['sluice-overview', 'sluice-kafka-and-projections', 'sluice-processes'];

/**
 * All of them. Which files the services have is known once the table of services is built.
 * @returns {Promise<readonly GeneratedFile[]>}
 */
export async function generatedFiles() {
  const { serviceFiles } = await manifests();
  const ofServices = serviceFiles().map(({ path, make }) => ({
    path,
    make: (/** @type {string} */ text) => Promise.resolve(make(text)),
  }));
  const { eventSchemas, eventTables } = await contracts();
  const ofEvents = Object.entries(eventTables).map(([stream, table]) => ({
    path: `docs/reference/${stream}-events.json`,
    make: () => Promise.resolve(`${JSON.stringify(eventSchemas(table), null, 2)}\n`),
  }));
  return [...otherFiles, ...ofEvents, ...ofServices];
}

/** @type {readonly GeneratedFile[]} */
const otherFiles = [
  {
    path: 'libs/money/src/iso-4217.ts',
    make: () => Promise.resolve(currencyTable()),
  },
  {
    path: 'docs/reference/parameters.md',
    make: async () => (await parameters()).referenceTables(),
  },
  {
    path: 'docs/reference/compatibility-switches.md',
    make: async () => (await parameters()).compatibilityReference(),
  },
  {
    path: 'docs/reference/openapi.json',
    make: async () => `${JSON.stringify((await parameters()).openApiDocument(), null, 2)}\n`,
  },
  {
    path: 'docs/reference/result-codes.md',
    make: async () => (await resultCodes()).referenceTable(),
  },
  {
    path: 'docs/reference/three-d-secure-messages.md',
    make: async () => (await threeDSecure()).threeDSecureMessagesReference(),
  },
  ...['interface', 'wire-contract'].map((name) => ({
    path: `apps/reference-page/page/${name}.html`,
    make: () => Promise.resolve(documentPage(`${name}.md`)),
  })),
  {
    path: 'docs/reference/widget.md',
    make: () => Promise.resolve(widgetReference()),
  },
  {
    path: 'docs/reference/command-line.md',
    make: async () => (await commandLine()).commandLineReference(),
  },
  {
    path: 'docs/reference/metrics.md',
    make: async () => {
      const { serviceMetrics } = await monitoring();
      return (await import('@sluice/service')).metricsReference(Object.values(serviceMetrics));
    },
  },
  {
    path: 'k8s/base/kustomization.yaml',
    make: async () => (await manifests()).baseKustomizationFile(),
  },
  {
    path: 'k8s/base/migrations/settings.env',
    make: async () => (await manifests()).migrationsSettingsFile(),
  },
  {
    path: 'k8s/base/operator/settings.env',
    make: async () => (await manifests()).operatorSettingsFile(),
  },
  {
    path: 'k8s/overlays/production/postgres/database.yaml',
    make: async () => (await manifests()).databaseFile(),
  },
  {
    path: 'k8s/components/network-policies/flows.yaml',
    make: async () => (await manifests()).networkPoliciesFile(),
  },
  {
    path: 'k8s/overlays/local/simulator-flows.yaml',
    make: async () => (await manifests()).simulatorPoliciesFile(),
  },
  {
    path: 'k8s/components/second-cell/flows.yaml',
    make: async () => (await manifests()).secondCellPoliciesFile(),
  },
  {
    path: 'k8s/overlays/local/second-cell/simulator-flows.yaml',
    make: async () => (await manifests()).secondCellSimulatorPoliciesFile(),
  },
  {
    path: 'k8s/components/second-cell-operated/topics.yaml',
    make: async () => (await manifests()).secondCellTopicsFile(),
  },
  {
    path: 'k8s/components/second-cell-operated/users.yaml',
    make: async () => (await manifests()).secondCellUsersFile(),
  },
  {
    path: 'k8s/components/second-cell-operated/listener-peers.yaml',
    make: async () => (await manifests()).secondCellPeersFile(),
  },
  {
    path: 'k8s/overlays/local/topics-flows.yaml',
    make: async () => (await manifests()).topicsPoliciesFile(),
  },
  {
    path: 'k8s/overlays/production/kafka/topics.yaml',
    make: async () => (await manifests()).kafkaTopicsFile(),
  },
  {
    path: 'k8s/overlays/production/kafka/listener-peers.yaml',
    make: async () => (await manifests()).kafkaListenerPeersFile(),
  },
  {
    path: 'k8s/overlays/production/kafka/users.yaml',
    make: async () => (await manifests()).kafkaUsersFile(),
  },
  ...dashboards.map((uid) => ({
    path: `k8s/components/monitoring/dashboards/${uid}.json`,
    make: async () => (await monitoring()).dashboardFile(uid),
  })),
];

/**
 * The files whose text on disk is not what the code makes now.
 * @param {readonly GeneratedFile[]} files
 * @param {string} root
 * @returns {Promise<{ path: string, text: string }[]>} with the text that they should have
 */
export async function staleFiles(files, root) {
  const made = await Promise.all(
    files.map(async ({ path, make }) => {
      const file = join(root, path);
      const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return { path, present, text: await make(present) };
    }),
  );
  return made
    .filter(({ present, text }) => present !== text)
    .map(({ path, text }) => ({ path, text }));
}
