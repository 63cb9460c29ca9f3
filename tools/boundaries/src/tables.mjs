// Who may import whom. This is the only place where it is written: ESLint's import rules are
// generated from it (eslint-imports.mjs) and a spec checks every import statement, every declared
// dependency and the Nx project graph against it (violations.mjs).
//
// Every project says in its package.json what it is: `"nx": {"tags": ["type:…", "scope:…"]}`.

/**
 * @typedef {'app' | 'browser' | 'shop' | 'listing' | 'composition' | 'domain' | 'contract' | 'platform'
 *   | 'connector' | 'testing' | 'operator' | 'tool'} ProjectType
 *
 * What a project may import of another type:
 * - `yes`: anything its index exports;
 * - `own scope`: only the project with the same scope (payments → domain/payments);
 * - `types`: type imports alone, so that nothing of it runs;
 * - `modules`: the application's module class and nothing else of it;
 * - `specs`: only from spec files;
 * - `{ scopes }`: yes, for the projects with these scopes alone;
 * - `[{ project, names }]`: only these names of these projects.
 * A type that is not listed may not be imported.
 * @typedef {{ project: string, names: readonly string[] }} NamesOfProject
 * @typedef {'yes' | 'own scope' | 'types' | 'modules' | 'specs'
 *   | { scopes: readonly string[] }
 *   | readonly NamesOfProject[]} Permission
 */

/** The types with one sentence each. @type {Record<ProjectType, string>} */
export const projectTypes = {
  app: 'one process in the cluster',
  browser: "code that runs in the shopper's or the operator's browser",
  shop: 'what a merchant has: it knows the gateway by its public interface alone',
  listing: 'the list of all apps, for whoever does something with each of them',
  composition: 'several apps in one process (the sandbox)',
  domain: 'the pure rules of one context: plain data and functions',
  contract: 'what several services agree on: words, formats, messages; no I/O',
  platform: 'what every process stands on: database, messages, HTTP, logs',
  connector: 'adapters to acquirers and payment methods',
  testing: 'what specs of several projects need, a local Kafka among it: no service starts one',
  operator: 'what operators and jobs run, from the image of the services',
  tool: 'programs for developers; no library may import one',
};

/** What connectors may use of `service`: they call HTTP hosts, and say which settings they read. */
const namesForConnectors = [
  ...['HttpClient', 'HttpRequest', 'HttpResult', 'HttpClientOptions'],
  'Variable',
];

/**
 * Drills on Kubernetes and the judge of histories compare the sides as the kill tests do: a second
 * comparison would be a second opinion about what is lost.
 */
const drilled = [
  { project: '@sluice/bench', names: ['poissonArrivalsMs'] },
  {
    project: '@sluice/kill-test',
    names: [
      'ACCOUNT',
      'Attempt',
      'BookedEffect',
      'CheckoutRecord',
      'EventName',
      'Evidence',
      'Exchange',
      'Merchant',
      'MerchantAccount',
      'MerchantConnection',
      'MerchantRequest',
      'Outcome',
      'PlannedRequest',
      'ProjectedTransaction',
      'ReadBack',
      'RecordedTransaction',
      'SHORT_WAITS',
      'Told',
      'Violation',
      'after',
      'attemptOf',
      'attemptsInBooks',
      'bookOf',
      'checkoutViolations',
      'disagreements',
      'operationNames',
      'paymentEvents',
      'projected',
      'projectionDisagreements',
      'readAllBack',
      'readGatewaySide',
      'readProjection',
      'recovered',
      'seconds',
      'seedFile',
      'upcast',
      'withClient',
    ],
  },
];

/** The deployment and the drills know the cluster of kubectl's context alike. */
const throughKubectl = {
  project: '@sluice/kubectl',
  names: [
    'ClusterUnusable',
    'Forwarding',
    'KubernetesCluster',
    'LocalPrograms',
    'NAMESPACE',
    'PatientPrograms',
    'Pod',
    'ProgramFailed',
    'ProgramMissing',
    'Programs',
    'RunOptions',
    'ScriptedAnswer',
    'ScriptedPrograms',
    'Workload',
    'isReached',
    'isThere',
    'keepsOldPods',
    'patiently',
    'podTroubles',
    'stateOf',
  ],
};

/** One search for card data, whatever was paid in: the sandbox, or the cluster with its Kafka. */
const searched = {
  project: '@sluice/card-canary',
  names: ['ClusterCanary', 'ClusterFindings', 'paidOwnAccountKinds'],
};

/** Row: who imports; column: what is imported. @type {Record<ProjectType, Partial<Record<ProjectType, Permission>>>} */
export const importTable = {
  app: {
    domain: 'own scope',
    contract: 'yes',
    platform: 'yes',
    connector: { scopes: ['payments', 'sepa', 'risk'] },
    // Where its files are, which edge serves.
    browser: { scopes: ['edge'] },
    testing: 'specs',
  },
  browser: { contract: 'yes', testing: 'specs' },
  // Nothing: it could as well be on another machine, in another language.
  shop: {},
  listing: { app: 'yes', contract: 'yes', platform: 'yes' },
  composition: {
    ...{ app: 'modules', shop: 'yes', listing: 'yes', contract: 'yes', platform: 'yes' },
    testing: 'specs',
  },
  domain: { contract: 'yes', testing: 'specs' },
  contract: { contract: 'yes' },
  platform: { contract: 'yes', platform: 'yes' },
  connector: {
    contract: 'yes',
    platform: [{ project: '@sluice/service', names: namesForConnectors }],
    testing: 'specs',
  },
  operator: {
    ...{ app: 'yes', listing: 'yes' },
    domain: 'yes',
    contract: 'yes',
    platform: 'yes',
    connector: 'specs',
    testing: 'specs',
  },
  testing: { domain: 'types', contract: 'yes', platform: 'yes', testing: 'yes' },
  tool: {
    app: 'yes',
    listing: 'yes',
    browser: 'yes',
    composition: 'yes',
    domain: 'yes',
    contract: 'yes',
    platform: 'yes',
    connector: 'yes',
    testing: 'yes',
    tool: [throughKubectl, searched, ...drilled],
  },
};

/**
 * Projects with a shorter list than their type has. The simulator is the other side: one mistake
 * (an exponent, a total) must not be made on both sides alike, so it shares no rule of money with us.
 * Nor does whoever judges the histories of payments.
 * @type {Record<string, readonly string[]>}
 */
export const onlyTheseProjects = {
  '@sluice/history-check': [
    '@sluice/command-line',
    '@sluice/embedded-postgres',
    '@sluice/kill-test',
    '@sluice/testing',
  ],
  '@sluice/simulator': [
    '@sluice/html',
    '@sluice/identifiers',
    '@sluice/result-codes',
    '@sluice/service',
    '@sluice/service-module',
    '@sluice/testing',
  ],
};

/**
 * What specs of a project may import beside that, and nothing else of it: who judges what it says. The
 * simulator's messages are written apart from our tables, so that its specs can hold one against the other.
 * @type {Record<string, readonly string[]>}
 */
export const judgesOfSpecs = {
  '@sluice/simulator': ['@sluice/domain-three-d-secure'],
};

/**
 * Packages and modules of Node that projects of these types may import outside specs; everything
 * else is I/O, a framework, or a reason to ask why. Types that are not listed may import whatever
 * they declare.
 * @type {Partial<Record<ProjectType, readonly string[]>>}
 */
export const allowedPackages = {
  domain: ['node:crypto'], // for hashes; lint refuses its random functions there
  contract: ['node:buffer', 'node:crypto', 'node:util', 'node:url'], // for domains in any script
};

/** Exceptions to `allowedPackages`, by project. @type {Record<string, readonly string[]>} */
export const allowedPackagesOfProject = {
  // Their predicate functions (country, URL, IBAN …) are the checks inside the formats.
  '@sluice/parameters': ['class-validator', 'ibantools'],
  // How long the IBANs of a country are, and in which form: they are masked in texts and logs.
  '@sluice/secrets': ['ibantools'],
  // What certificates and CMS signatures are made of: they read bytes, and nothing else.
  '@sluice/wallets': [
    '@peculiar/asn1-cms',
    '@peculiar/asn1-schema',
    '@peculiar/asn1-x509',
    'asn1js',
  ],
  // One pure function: how near a misspelt switch is to one that there is.
  '@sluice/domain-accounts': ['leven'],
  // Evaluates the expressions of rules: pure, and only with the operators that it is given.
  '@sluice/domain-risk': ['json-logic-engine'],
  // When the clocks of a time zone are put forward and back: arithmetic over what Node knows of zones.
  '@sluice/domain-scheduling': ['temporal-polyfill'],
  // Tables alone: which number a country has.
  '@sluice/domain-three-d-secure': ['i18n-iso-countries'],
};

/**
 * Names that start another project as a process: an import statement does not show it, but the Nx
 * graph must know it ("implicitDependencies"), or a cached test result outlives what it tested.
 */
export const startedBy = [
  { name: 'startSandbox', from: '@sluice/testing', starts: '@sluice/sandbox' },
  { name: 'startCluster', from: '@sluice/testing', starts: '@sluice/cluster' },
];
