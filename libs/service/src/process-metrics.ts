import { X509Certificate } from 'node:crypto';
import process from 'node:process';
import type { Pool } from 'pg';
import type { HealthReport } from './health-checks.js';
import { lostLogLines } from './logger.js';
import { counter, gauge, type MetricDeclaration } from './metric-declarations.js';
import { gaugeOf, type Metrics, type Reading } from './metrics.js';
import type { TlsMaterial } from './tls-material.js';

/** Counts looks of gauges that failed; the registry's own. */
export const failedGaugeReads = counter(
  'sluice_failed_gauge_reads_total',
  'Times that a database or a broker could not be asked for a gauge; it is missing then.',
);

const buildInfo = gauge(
  'sluice_build_info',
  'Always 1: the version of Sluice, the service, and the version of Node.js that it runs on.',
  { version: { atMost: 1 }, service: { atMost: 1 }, node: { atMost: 1 } },
);

/** What a certificate is for. */
export type CertificateUse = 'internal' | 'kafka';

const certificateExpiry = gauge(
  'sluice_certificate_expires_in_seconds',
  'Until the first certificate of a file ends, by what it is used for and whether it is our own or the authority that we trust; absent without TLS.',
  { use: ['internal', 'kafka'], part: ['own', 'authority'] },
);

const lostLines = gauge(
  'sluice_log_lines_lost',
  'Lines of the log since the start that could not be written, because whoever read it is gone or its disk is full.',
);

/** A process has a handful of checks: its database, its schema, its rows. */
const CHECKS_MAX = 10;

const readinessCheck = gauge(
  'sluice_readiness_check',
  'What /readyz says: 1 for each check that passes and 0 for one that fails; "phase" is 0 while the process starts or stops.',
  { check: { atMost: CHECKS_MAX } },
);

/** What every process emits beside its own. */
export const processMetrics: readonly MetricDeclaration[] = [
  buildInfo,
  certificateExpiry,
  failedGaugeReads,
  lostLines,
  readinessCheck,
];

const connections = gauge(
  'sluice_database_connections',
  'Connections of the pool to PostgreSQL, used and idle.',
  { state: ['used', 'idle'] },
);
const waitingForConnection = gauge(
  'sluice_database_waiting',
  'Callers that wait for a connection of the pool.',
);

/** What a service with a pool emits. */
export const databaseMetrics: readonly MetricDeclaration[] = [connections, waitingForConnection];

/** Says which build this is. */
export function exposeBuild(metrics: Metrics, service: string, version: string): void {
  const labels = { version, service, node: process.versions.node };
  metrics.gauge(buildInfo, () => [{ labels, value: 1 }]);
}

/** Shows what the log has lost, which it cannot say itself. */
export function exposeLostLines(metrics: Metrics): void {
  metrics.gauge(lostLines, lostLogLines);
}

/** Shows what /readyz says, so that an alert can name what is missing. */
export function exposeReadiness(
  metrics: Metrics,
  health: { readiness(): Promise<HealthReport> },
): void {
  metrics.look(
    () => health.readiness(),
    [
      gaugeOf(readinessCheck, ({ phase, checks }) => [
        { labels: { check: 'phase' }, value: phase === 'started' ? 1 : 0 },
        ...checks.map(({ name, state }) => ({
          labels: { check: name },
          value: state === 'ok' ? 1 : 0,
        })),
      ]),
    ],
  );
}

/** Shows how busy a pool is; a process has one. */
export function exposePool(
  metrics: Metrics,
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
): void {
  metrics.gauge(connections, () => {
    const { totalCount, idleCount } = pool;
    return [
      { labels: { state: 'used' }, value: totalCount - idleCount },
      { labels: { state: 'idle' }, value: idleCount },
    ];
  });
  metrics.gauge(waitingForConnection, () => pool.waitingCount);
}

type Files = TlsMaterial['current'];

/** Says for each set of TLS files when they end; renewed ones count as soon as they are used. */
export class CertificateExpiry {
  readonly #uses = new Map<CertificateUse, { readonly current: Files }>();
  readonly #ends = new WeakMap<Files, { readonly own: number; readonly authority: number }>();

  constructor(metrics: Metrics) {
    metrics.gauge(certificateExpiry, () => this.#readings());
  }

  /** Adds the files of one use; without TLS there is nothing to say. */
  add(use: CertificateUse, material: { readonly current: Files } | undefined): void {
    if (material !== undefined) this.#uses.set(use, material);
  }

  #readings(): readonly Reading<'use' | 'part'>[] {
    const nowMs = Date.now();
    return [...this.#uses].flatMap(([use, { current }]) => {
      const ends = this.#endsOf(current);
      return (['own', 'authority'] as const).map((part) => ({
        labels: { use, part },
        value: Math.round((ends[part] - nowMs) / 1_000),
      }));
    });
  }

  /** Read once for each set: parsing takes longer than a scrape should. */
  #endsOf(files: Files): { readonly own: number; readonly authority: number } {
    const known = this.#ends.get(files);
    if (known !== undefined) return known;
    const ends = { own: firstEndOf(files.cert), authority: firstEndOf(files.ca) };
    this.#ends.set(files, ends);
    return ends;
  }
}

const CERTIFICATE_END = '-----END CERTIFICATE-----';

/** When the first of a file's certificates ends, milliseconds since the epoch. */
function firstEndOf(pem: string): number {
  const certificates = pem.split(CERTIFICATE_END).slice(0, -1);
  return Math.min(
    ...certificates.map((text) => Date.parse(new X509Certificate(text + CERTIFICATE_END).validTo)),
  );
}
