import type {
  AssessedNodes,
  AssessedNodesAnswer,
  AssessedNodesQuery,
  AssessmentAnswer,
  AssessQuery,
  AuthenticateQuery,
  AuthenticationAnswer,
  ProceedQuery,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import { LiveDirectory, type LiveDirectoryParts } from './live-directory.js';

/** Of an installation whose payments nobody judges. */
const NO_NODES: AssessedNodes = { version: 'none', before: [], after: [] };

/** The parts it is made of. */
export interface RiskQuestionsParts extends Omit<LiveDirectoryParts<AssessedNodes>, 'ask'> {
  /** Absent: nobody is asked. */
  readonly queries: Queries | undefined;
}

/**
 * What payments asks risk. Every question may be asked again: under the same id, it has the same answer.
 * Each throws QueryUnavailable where there is none.
 */
export class RiskQuestions {
  readonly #queries: Queries | undefined;
  readonly #nodes: LiveDirectory<AssessedNodes>;

  constructor({ queries, ...parts }: RiskQuestionsParts) {
    this.#queries = queries;
    this.#nodes = new LiveDirectory({
      ...parts,
      ask: async (known) => {
        if (queries === undefined) return known === undefined ? NO_NODES : undefined;
        const query: AssessedNodesQuery = known ? { knownVersion: known.version } : {};
        return (await queries.ask<AssessedNodesAnswer>('risk', 'risk.assessedNodes', query)).nodes;
      },
    });
  }

  /** Whether risk has said which nodes have rules. */
  get isKnown(): boolean {
    return this.#nodes.index !== undefined;
  }

  /** Whether rules hold for payments of these nodes. */
  isAssessed(nodes: readonly EntityId[]): boolean {
    return nodes.some((id) => this.#nodes.index?.before.includes(id) === true);
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

  #ask<Answer>(name: string, query: object): Promise<Answer> {
    if (this.#queries === undefined) throw new Error('Nobody is there who judges payments.');
    return this.#queries.ask<Answer>('risk', `risk.${name}`, query);
  }
}
