import type {
  AssessmentAnswer,
  AssessQuery,
  AuthenticateQuery,
  AuthenticationAnswer,
  AuthenticationQuery,
  AuthenticationResult,
  AuthenticationSettings,
  CoveredAmountAnswer,
  CoveredAmountQuery,
  ProceedQuery,
  RoutedNode,
  RoutingAnswer,
} from '@sluice/contracts';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { ENTITY_ID } from './payments-fixture.js';

/** What a channel says of 3-D Secure. */
export const settings: AuthenticationSettings = {
  ...({ authenticates: 'onDemand', goesOnWith: ['Y', 'A'] } as const),
  ...{ merchantName: 'Books', merchantCountry: 'DE', merchantCategoryCode: '5942' },
  ...{ merchantUrl: 'https://shop.example', requestors: {} },
};

/** An authentication that ended well. */
export const result = (changes: Partial<AuthenticationResult> = {}): AuthenticationResult => ({
  ...({ status: 'Y', flow: 'challenge', goesOn: true, resultCode: '000.400.110' } as const),
  ...{ liabilityShifts: true, proofReference: 'vault-0.p1', eci: '05', version: '2.2.0' },
  ...{ serverTransactionId: 'server-1', dsTransactionId: 'ds-1' },
  ...changes,
});

/** Where shoppers begin. */
export const redirect = {
  ...({ url: 'https://gateway.example/redirects/1', method: 'GET', parameters: {} } as const),
};

/** Risk, and the account tree, in the hand of a test. */
export class ScriptedRisk implements Queries {
  isAway = false;
  /** Questions that it does not answer. */
  silentOn: readonly string[] = [];
  /** Which nodes have rules, and how 3-D Secure is set. */
  assessed: readonly string[] = [];
  authentication: AuthenticationSettings | undefined = settings;
  assessment: AssessmentAnswer = { decision: 'accept', score: 0, fired: [] };
  answer: AuthenticationAnswer = { kind: 'waiting', expiresAtMs: Date.now() + 60_000 };
  readonly assessments: AssessQuery[] = [];
  readonly authentications: AuthenticateQuery[] = [];
  /** How much an earlier authentication covers; nothing of what was made elsewhere. */
  covered: CoveredAmountAnswer = {};
  readonly namedAuthentications: CoveredAmountQuery[] = [];
  readonly proceeded: ProceedQuery[] = [];
  /** Authentications that somebody asked about, whether or not there was an answer. */
  readonly inquired: string[] = [];

  ask<Answer>(service: string, query: string, parameters: object): Promise<Answer> {
    if (service === 'accounts') return Promise.resolve(this.#routing() as Answer);
    if (query === 'risk.authentication') {
      this.inquired.push((parameters as AuthenticationQuery).authenticationId);
    }
    const isSilent = this.isAway || this.silentOn.includes(query);
    if (isSilent) return Promise.reject(new QueryUnavailable(query, 'noService'));
    return Promise.resolve(this.#answer(query, parameters) as Answer);
  }

  #routing(): RoutingAnswer {
    const { authentication } = this;
    const node: RoutedNode = { id: ENTITY_ID, ...(authentication && { authentication }) };
    return { directory: { version: '1', nodes: [node] } };
  }

  #answer(query: string, parameters: object): unknown {
    switch (query) {
      case 'risk.assessedNodes':
        return { nodes: { version: '1', assessed: this.assessed } };
      case 'risk.assess':
        this.assessments.push(parameters as AssessQuery);
        return this.assessment;
      case 'risk.authenticate':
        this.authentications.push(parameters as AuthenticateQuery);
        return this.answer;
      case 'risk.coveredAmount':
        this.namedAuthentications.push(parameters as CoveredAmountQuery);
        return this.covered;
      case 'risk.proceed':
        this.proceeded.push(parameters as ProceedQuery);
        return this.answer;
      case 'risk.authentication':
        return this.answer;
      default:
        throw new Error(`Nobody scripted ${query}.`);
    }
  }
}
