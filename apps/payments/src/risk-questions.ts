import type {
  AssessedNodes,
  AssessedNodesAnswer,
  AssessedNodesQuery,
  AssessmentAnswer,
  AssessQuery,
  AuthenticateQuery,
  AuthenticationAnswer,
  CoveredAmountAnswer,
  CoveredAmountQuery,
  ProceedQuery,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import { LiveDirectory, type LiveDirectoryParts } from './live-directory.js';

/** The nodes that have rules, to be looked up for each payment. */
interface AssessedIndex {
  readonly version: string;
  readonly assessed: ReadonlySet<EntityId>;
}

/** Of an installation whose payments nobody judges. */
const NO_NODES: AssessedIndex = { version: 'none', assessed: new Set() };

/** The parts it is made of. */
export interface RiskQuestionsParts extends Pick<LiveDirectoryParts<AssessedIndex>, 'outage'> {
  /** Absent: nobody is asked. */
  readonly queries: Queries | undefined;
}

/**
 * What payments asks risk. Every question may be asked again: under the same id, it has the same answer.
 * Each throws QueryUnavailable where there is none.
 */
export class RiskQuestions {
  readonly #queries: Queries | undefined;
  readonly #nodes: LiveDirectory<AssessedIndex>;

  constructor({ queries, ...parts }: RiskQuestionsParts) {
    this.#queries = queries;
    this.#nodes = new LiveDirectory({
      ...parts,
      ask: async (known) => {
        if (queries === undefined) return known === undefined ? NO_NODES : undefined;
        const query: AssessedNodesQuery = known ? { knownVersion: known.version } : {};
        const answer = await queries.ask<AssessedNodesAnswer>('risk', 'risk.assessedNodes', query);
        return answer.nodes && indexOf(answer.nodes);
      },
    });
  }

  /** Whether risk has said which nodes have rules. */
  get isKnown(): boolean {
    return this.#nodes.index !== undefined;
  }

  /** Whether rules hold for payments of these nodes. */
  isAssessed(nodes: readonly EntityId[]): boolean {
    const index = this.#nodes.index;
    return index !== undefined && nodes.some((id) => index.assessed.has(id));
  }

  /** Begins to learn which nodes have rules. */
  start(): Promise<void> {
    return this.#nodes.start();
  }

  /** Learns changes now, and not in a while. */
  refresh(): Promise<void> {
    return this.#nodes.refresh();
  }

  /** Stops learning. */
  close(): void {
    this.#nodes.close();
  }

  assess(query: AssessQuery): Promise<AssessmentAnswer> {
    return this.#ask('assess', query);
  }

  authenticate(query: AuthenticateQuery): Promise<AuthenticationAnswer> {
    return this.#ask('authenticate', query);
  }

  /** What has become of an authentication. */
  authentication(authenticationId: TransactionId): Promise<AuthenticationAnswer> {
    return this.#ask('authentication', { authenticationId });
  }

  /** The shopper's browser has come, or come back. */
  proceed(query: ProceedQuery): Promise<AuthenticationAnswer> {
    return this.#ask('proceed', query);
  }

  /** How much an authentication covers that was made here without a payment. */
  async coveredAmount(query: CoveredAmountQuery): Promise<CoveredAmountAnswer> {
    return this.#queries === undefined ? {} : this.#ask('coveredAmount', query);
  }

  #ask<Answer>(name: string, query: object): Promise<Answer> {
    if (this.#queries === undefined) throw new Error('Nobody is there who judges payments.');
    return this.#queries.ask<Answer>('risk', `risk.${name}`, query);
  }
}

function indexOf({ version, assessed }: AssessedNodes): AssessedIndex {
  return { version, assessed: new Set(assessed) };
}
