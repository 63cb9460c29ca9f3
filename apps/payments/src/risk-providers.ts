import type { Provider } from '@nestjs/common';
import { StreamQueries } from '@sluice/aggregates';
import { EventStore } from '@sluice/event-store';
import type { Queries } from '@sluice/messaging';
import { EntityClock, Outage, RemoteClock } from '@sluice/service';
import { CLOCK, LOGGER, made } from '@sluice/service-module';
import { AskedReferences } from './asked-references.js';
import { AuthenticationProofs } from './authentication-proofs.js';
import { Authentications } from './authentications.js';
import { AuthorizationResumption } from './authorization-resumption.js';
import { EarlierAuthentications } from './earlier-authentications.js';
import { LiveRoutes } from './live-routes.js';
import { NextAuthorizations } from './next-authorizations.js';
import { PaymentRouting } from './payment-routing.js';
import { PaymentWorkflow } from './payment.workflow.js';
import { SETTINGS, STREAMS, VAULT, WRITER } from './payments-tokens.js';
import { ReviewDecisions } from './review-decisions.js';
import { RiskDecisions } from './risk-decisions.js';
import { RiskQuestions } from './risk-questions.js';
import { SecondAuthentications } from './second-authentications.js';

/** Which channels have rules, as risk says; nobody is asked without `queries`. */
export function questionsOf({ queries }: { readonly queries?: Queries }): Provider {
  return made(RiskQuestions, { clock: CLOCK, logger: LOGGER }, ({ clock, logger }) => {
    const outage = new Outage(clock, logger, {
      begins: 'Which channels have rules cannot be refreshed.',
      goesOn: 'Which channels have rules still cannot be refreshed.',
      ends: 'Which channels have rules is refreshed again.',
    });
    return new RiskQuestions({ queries, outage });
  });
}

const REVIEW_PARTS = {
  ...{ streams: STREAMS, writer: WRITER, references: AskedReferences },
  ...{ clock: EntityClock, logger: LOGGER },
};

/** What is found out before an acquirer is asked, and how a payment goes on from there. */
export const riskProviders: readonly Provider[] = [
  made(Authentications, { questions: RiskQuestions, routes: LiveRoutes }, (parts) => {
    return new Authentications(parts);
  }),
  made(EarlierAuthentications, { questions: RiskQuestions, logger: LOGGER }, (parts) => {
    return new EarlierAuthentications(parts);
  }),
  made(
    RiskDecisions,
    {
      ...{ questions: RiskQuestions, authentications: Authentications },
      ...{ earlier: EarlierAuthentications, routes: LiveRoutes, store: EventStore },
      clock: EntityClock,
    },
    ({ store, ...parts }) => new RiskDecisions({ ...parts, keys: store.idempotency }),
  ),
  made(
    NextAuthorizations,
    { routing: PaymentRouting, clock: EntityClock, settings: SETTINGS },
    (parts) => new NextAuthorizations(parts),
  ),
  made(
    SecondAuthentications,
    {
      ...{ authentications: Authentications, streams: STREAMS, writer: WRITER },
      ...{ next: NextAuthorizations, machine: RemoteClock, clock: EntityClock, logger: LOGGER },
    },
    (parts) => new SecondAuthentications(parts),
  ),
  made(
    AuthorizationResumption,
    {
      ...{ streams: STREAMS, writer: WRITER, workflow: PaymentWorkflow, next: NextAuthorizations },
      ...{ blocks: StreamQueries, machine: RemoteClock, clock: EntityClock },
    },
    (parts) => new AuthorizationResumption(parts),
  ),
  made(ReviewDecisions, REVIEW_PARTS, (parts) => new ReviewDecisions(parts)),
  made(AuthenticationProofs, { store: EventStore, vault: VAULT }, (parts) => {
    return new AuthenticationProofs(parts);
  }),
];
