import {
  authenticationFlows,
  type AuthenticationNetwork,
  authenticationNetworks,
  authenticationStatuses,
  type RiskDecision,
  riskDecisions,
} from '@sluice/contracts';
import type { AuthenticationEvent, AuthenticationState } from '@sluice/domain-three-d-secure';
import type { AppendResult } from '@sluice/event-store';
import {
  counter,
  databaseMetrics,
  gauge,
  gaugeOf,
  histogram,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';
import { addressData } from '@sluice/domain-risk';
import type { Pool } from 'pg';
import type { AddressFiles } from './assessment/address-files.js';
import { scorerOutcomes } from './assessment/scorers.js';

const assessments = counter(
  'sluice_risk_assessments_total',
  'Payments that rules were applied to, by what they decided.',
  { decision: riskDecisions },
);
const authentications = counter(
  'sluice_risk_authentications_total',
  'Authentications of shoppers by 3-D Secure that ended, by card network, flow and status; `none`: the issuer said nothing.',
  {
    network: authenticationNetworks,
    flow: authenticationFlows,
    status: [...authenticationStatuses, 'none'],
  },
);
const authenticationDurations = histogram(
  'sluice_risk_authentication_duration_seconds',
  'How long an authentication takes from its beginning to its end, the shopper included.',
);
/** What came of a request to a directory server. */
export const directoryOutcomes = ['answered', 'notReached', 'refused'] as const;
const directoryRequests = counter(
  'sluice_risk_directory_requests_total',
  'Requests to directory servers of 3-D Secure, by card network: answered, not reached in time, or with an answer that cannot be used.',
  { network: authenticationNetworks, outcome: [...directoryOutcomes] },
);
const resultsRefused = counter(
  'sluice_risk_results_refused_total',
  'Results of authentications (RReq) that were refused: of no transaction, of another one, or malformed.',
);
const rangesAge = gauge(
  'sluice_risk_card_ranges_age_seconds',
  'How old the oldest card ranges of the directory servers are; they are asked for once a day.',
);
const reviews = gauge(
  'sluice_risk_reviews_open',
  'Payments that wait for somebody to look at them.',
);
const oldest = gauge(
  'sluice_risk_review_oldest_seconds',
  'How long the oldest of them has waited; 0 if none waits.',
);
const untold = gauge(
  'sluice_risk_reviews_untold',
  'Reviews that were decided and that payments has not recorded yet.',
);
const outcomesUnread = gauge(
  'sluice_risk_outcomes_unread',
  'Payments whose events could not be read, so that rules do not know what became of them.',
);
const unread = gauge(
  'sluice_risk_rules_unread',
  'Nodes whose newest rules this instance cannot read, so that older ones hold, or none.',
);
const addressAge = gauge(
  'sluice_risk_address_file_age_seconds',
  'How old what this instance knows of addresses is; absent without a file.',
  { kind: addressData },
);
const scorerAnswers = counter(
  'sluice_risk_scorer_calls_total',
  'Payments that an external scorer was to be asked about, by how that ended; paused: it was not asked, because it had failed, or too many were to be asked at once.',
  { outcome: scorerOutcomes },
);

/** What risk emits. */
export const riskMetrics: ServiceMetrics = {
  service: 'risk',
  declarations: [
    ...[assessments, authentications, authenticationDurations, scorerAnswers],
    ...[directoryRequests, resultsRefused, rangesAge],
    ...[reviews, oldest, untold, outcomesUnread, unread, addressAge],
    ...[...databaseMetrics, ...internalServerMetrics],
  ],
};

const SECOND_MS = 1_000;

interface Backlog {
  readonly open: number;
  readonly oldest: number;
  readonly untold: number;
  readonly outcomesUnread: number;
}

const BACKLOG = `SELECT count(*)::int AS open,
    coalesce(greatest(0, extract(epoch FROM now() - min(assessed_at))), 0)::float AS oldest,
    (SELECT count(*) FROM assessments WHERE decided_at IS NOT NULL AND told_at IS NULL)::int AS untold,
    (SELECT count(*) FROM outcomes_unread)::int AS "outcomesUnread"
  FROM assessments WHERE review = 'open'`;

/** Where risk counts. */
export class RiskMetrics {
  readonly #assessments;
  readonly #scorerAnswers;
  readonly #authentications;
  readonly #authenticationDuration;
  readonly #directoryRequests;
  readonly #resultsRefused;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#assessments = metrics.counter(assessments);
    this.#authentications = metrics.counter(authentications);
    this.#authenticationDuration = metrics.histogram(authenticationDurations);
    this.#directoryRequests = metrics.counter(directoryRequests);
    this.#resultsRefused = metrics.counter(resultsRefused);
    this.#resultsRefused.of({});
    for (const network of authenticationNetworks) {
      this.#authentications.of({ network, flow: 'none', status: 'none' });
      for (const outcome of directoryOutcomes) this.#directoryRequests.of({ network, outcome });
    }
    this.#scorerAnswers = metrics.counter(scorerAnswers);
    for (const outcome of scorerOutcomes) this.#scorerAnswers.of({ outcome });
  }

  /** A payment was assessed. */
  assessed(decision: RiskDecision): void {
    this.#assessments.add({ decision });
  }

  /** What an append to the stream of an authentication came to. */
  authenticationAppended(
    { kind }: AppendResult,
    state: AuthenticationState,
    events: readonly AuthenticationEvent[],
  ): void {
    const ended = events.find((event) => event.type === 'AuthenticationEnded');
    if (kind !== 'appended' || ended === undefined || state === undefined) return;
    const { flow, status = 'none' } = ended.data;
    this.#authentications.add({ network: state.terms.network, flow, status });
    const lastedMs = ended.metadata.recordedAtMs - state.begunAtMs;
    this.#authenticationDuration.observe({}, Math.max(0, lastedMs) / SECOND_MS);
  }

  /** A scorer was asked, or was to be. */
  scored(outcome: (typeof scorerOutcomes)[number]): void {
    this.#scorerAnswers.add({ outcome });
  }

  /** A directory server was asked. */
  directoryAsked(
    network: AuthenticationNetwork,
    outcome: (typeof directoryOutcomes)[number],
  ): void {
    this.#directoryRequests.add({ network, outcome });
  }

  /** A result of an authentication was not taken. */
  resultRefused(): void {
    this.#resultsRefused.of({}).add();
  }

  /** Shows how old card ranges are. */
  watchRanges(ranges: { readonly oldestAgeMs: number }): void {
    this.metrics.gauge(rangesAge, () => ranges.oldestAgeMs / SECOND_MS);
  }

  /** Shows what waits. */
  watch(
    pool: Pick<Pool, 'query'>,
    rules: { readonly unreadCount: number },
    addresses: Pick<AddressFiles, 'known'>,
  ): void {
    this.metrics.gauge(unread, () => rules.unreadCount);
    this.metrics.gauge(addressAge, () =>
      [...addresses.known].map(([kind, { builtAtMs }]) => ({
        labels: { kind },
        value: Math.max(0, (Date.now() - builtAtMs) / 1_000),
      })),
    );
    this.metrics.look(async () => {
      const { rows } = await pool.query<Backlog>(BACKLOG);
      return rows[0] ?? { open: 0, oldest: 0, untold: 0, outcomesUnread: 0 };
    }, [
      gaugeOf(reviews, (backlog) => backlog.open),
      gaugeOf(oldest, (backlog) => backlog.oldest),
      gaugeOf(untold, (backlog) => backlog.untold),
      gaugeOf(outcomesUnread, (backlog) => backlog.outcomesUnread),
    ]);
  }
}
