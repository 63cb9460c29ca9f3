import {
  type AssessmentAnswer,
  type AuthenticationAnswer,
  type InitiatePayment,
  isStandalone,
  shownInstrument,
} from '@sluice/contracts';
import type { FirstAuthentication, RiskAssessment } from '@sluice/domain-payments';
import type { EntityId } from '@sluice/identifiers';
import { type Opened, QueryUnavailable } from '@sluice/messaging';
import { codes, describeResult } from '@sluice/result-codes';
import { type EntityClock, inSpan } from '@sluice/service';
import type { Authentications, NoAuthentication } from './authentications.js';
import { type EarlierAuthentications, namesAuthentication } from './earlier-authentications.js';
import type { LiveRoutes } from './live-routes.js';
import type { PaymentStore } from './payment-aggregate.js';
import type { NoWay } from './payment-routing.js';
import type { RiskQuestions } from './risk-questions.js';

/** What is found out of a new payment before it is recorded. */
export interface FoundOut {
  readonly assessment?: RiskAssessment;
  readonly authentication?: FirstAuthentication;
  /** Why it is refused; ours to say, and not risk's. */
  readonly refusal?: NoWay;
}

type NewPaymentData = Opened<InitiatePayment>['data'];

/** Of nearly all payments: no rule holds, and nobody is authenticated. */
const NOTHING: FoundOut = {};

/** A check alone that nobody would make. */
const NO_RULES: FoundOut = {
  refusal: {
    resultCode: codes.notConfigured,
    resultDescription: `${describeResult(codes.notConfigured)} - no rules of risk hold for this channel`,
  },
};

/** The parts it is made of. */
export interface RiskDecisionsParts {
  readonly questions: Pick<RiskQuestions, 'isKnown' | 'isAssessed' | 'assess'>;
  readonly authentications: Pick<Authentications, 'settingsOf' | 'begin'>;
  readonly earlier: Pick<EarlierAuthentications, 'disproof' | 'notCovering'>;
  readonly routes: Pick<LiveRoutes, 'index'>;
  readonly keys: Pick<PaymentStore['idempotency'], 'isKept'>;
  readonly clock: Pick<EntityClock, 'ofMachine'>;
}

/**
 * What risk says of a new payment, asked before anything of it is recorded. Each answer is the same for the
 * same id, so a process that ends in between leaves nothing half done: the command comes again.
 */
export class RiskDecisions {
  constructor(private readonly parts: RiskDecisionsParts) {}

  /**
   * A key that has made a payment has nobody judged or authenticated again, unless it may end before the append
   * looks: then that would record a payment that nobody has judged. Of two requests with one key at the
   * same moment, neither finds the other: both are judged, and the append records one of them.
   * @throws QueryUnavailable where risk does not answer, or has not said yet which channels have rules: then
   *   nothing is recorded
   */
  of(data: NewPaymentData): Promise<FoundOut> {
    return inSpan('risk', {}, async (span) => {
      const found = await this.#find(data);
      const { assessment, authentication } = found;
      if (span.isRecording) {
        span.set({
          'sluice.risk.decision': assessment?.decision ?? 'none',
          'sluice.authentication': authentication?.kind ?? 'none',
        });
      }
      return found;
    });
  }

  async #find(data: NewPaymentData): Promise<FoundOut> {
    if (data.rejection !== undefined) return NOTHING;
    const { questions, keys } = this.parts;
    if (!questions.isKnown) throw new QueryUnavailable('risk.assessedNodes', 'noService');
    const isAssessed = this.#isAssessed(data);
    const isAuthenticated = this.#isAuthenticated(data);
    if (!isAssessed && data.operation === 'riskAssessment') return NO_RULES;
    const isEarlier = namesAuthentication(data);
    if (!isAssessed && !isAuthenticated && !isEarlier) return NOTHING;
    const { idempotency } = data;
    if (idempotency && (await keys.isKept(idempotency.key))) return NOTHING;
    const assessment = isAssessed ? await this.#assess(data) : undefined;
    const found = assessment === undefined ? NOTHING : { assessment };
    if (assessment?.decision === 'reject') return found;
    const isChallenged = isChallengedBy(assessment, data);
    if (!isChallenged && !isAuthenticated) {
      const authentication = isEarlier ? await this.parts.earlier.notCovering(data) : undefined;
      return authentication === undefined ? found : { ...found, authentication };
    }
    const isDone = isChallenged && isProvenElsewhere(data);
    const lack = isDone ? await this.parts.earlier.disproof(data) : absenceIn(data);
    if (isChallenged && lack !== undefined) {
      // The rule's matter, also where the request demands what challenges nobody.
      const reason = `nobody is authenticated by 3-D Secure (${lack})`;
      return { ...found, ...refused({ kind: 'refused', reason }, {}, isChallenged) };
    }
    return isDone ? found : { ...found, ...(await this.#authenticate(data, isChallenged)) };
  }

  /** An authentication alone is the payment's own matter, which is judged when it is made. */
  #isAssessed({ context, operation }: NewPaymentData): boolean {
    if (operation === 'authentication') return false;
    const { questions, routes } = this.parts;
    const nodes = routes.index?.nodesAbove(context.entityId) ?? [context.entityId];
    return questions.isAssessed(nodes);
  }

  #isAuthenticated(data: NewPaymentData): boolean {
    const { authentication, context } = data;
    if (authentication === undefined) return false;
    return (
      authentication.demandedBy !== undefined ||
      this.parts.authentications.settingsOf(context.entityId)?.authenticates === 'always'
    );
  }

  async #assess(data: NewPaymentData): Promise<RiskAssessment> {
    const { transactionId, context, operation, amount, instrument, accountFingerprint } = data;
    const { entityId, mode, receivedAtMs } = context;
    const { afterwards, ...answer } = await this.parts.questions.assess({
      assessmentId: transactionId,
      nodes: this.parts.routes.index?.nodesAbove(entityId) ?? [entityId],
      ...{ entityId, mode, amount, receivedAtMs },
      ...(!isStandalone(operation) && { operation }),
      instrument: shownInstrument(instrument),
      ...(accountFingerprint !== undefined && { accountFingerprint }),
      ...(data.issuerCountry !== undefined && { issuerCountry: data.issuerCountry }),
      parameters: { ...data.parameters, ...data.personal },
    });
    // No issuer is asked about a check alone.
    const hasIssuer = !isStandalone(operation);
    return {
      ...recorded(answer),
      ...(hasIssuer &&
        afterwards !== undefined && {
          afterwards: afterwards.map(({ pairs, ...each }) => ({ pairs, ...recorded(each) })),
        }),
    };
  }

  async #authenticate(
    data: NewPaymentData,
    isChallenged: boolean,
  ): Promise<Pick<FoundOut, 'authentication' | 'refusal'>> {
    const { transactionId: id, context, instrument, amount, testDirectives, authentication } = data;
    const answer = await this.parts.authentications.begin({
      ...{ authenticationId: id, paymentId: id, context, instrument, amount },
      parameters: { ...data.parameters, ...data.personal },
      ...(testDirectives !== undefined && { testDirectives }),
      ...(authentication !== undefined && { redirectUrl: authentication.redirectUrl }),
      ...(isChallenged && { challengeIsMandated: true, isOfRule: true }),
    });
    const { clock } = this.parts;
    return firstAuthentication(byClockOf(clock, context.entityId, answer), data, isChallenged);
  }
}

/** A check alone says that its shopper is to be authenticated, and asks no issuer. */
function isChallengedBy(
  assessment: RiskAssessment | undefined,
  { operation }: Pick<NewPaymentData, 'operation'>,
): boolean {
  return assessment?.decision === 'challenge' && operation !== 'riskAssessment';
}

/** One whom an external server has authenticated, or this one before, satisfies the rule: he has been asked. */
function isProvenElsewhere({
  notAuthenticated,
}: Pick<NewPaymentData, 'notAuthenticated'>): boolean {
  return notAuthenticated?.kind === 'elsewhere' && notAuthenticated.isProven;
}

/** With these an issuer is asked about a shopper who is not there, and challenges nobody (3RI). */
const WITHOUT_SHOPPER = ['threeDSecure.channel', 'threeDSecure.threeRIInd'] as const;

/** Why no shopper can be challenged, whatever an issuer would say; undefined where one can. */
function absenceIn({ notAuthenticated, parameters }: NewPaymentData): string | undefined {
  if (notAuthenticated?.kind === 'impossible') return notAuthenticated.reason;
  if (notAuthenticated?.kind === 'elsewhere') return 'an external server has not proven who it is';
  const named = WITHOUT_SHOPPER.find((key) => parameters[key] !== undefined);
  return named && `${named} asks without the shopper`;
}

/** Of the rules that spoke, the events have the ids. */
function recorded({ decision, score, resultCode, fired }: Omit<AssessmentAnswer, 'afterwards'>) {
  return {
    ...{ decision, score },
    ...(resultCode !== undefined && { resultCode }),
    ...(fired.length > 0 && { fired: fired.map(({ id }) => id) }),
  };
}

/** Risk says by the machine's clock when one ends. */
function byClockOf<Answered extends AuthenticationAnswer | NoAuthentication>(
  clock: Pick<EntityClock, 'ofMachine'>,
  entityId: EntityId,
  answer: Answered,
): Answered {
  if (!('expiresAtMs' in answer)) return answer;
  return { ...answer, expiresAtMs: clock.ofMachine(entityId, answer.expiresAtMs) };
}

function firstAuthentication(
  answer: AuthenticationAnswer | NoAuthentication,
  data: NewPaymentData,
  isChallenged: boolean,
): Pick<FoundOut, 'authentication' | 'refusal'> {
  const { transactionId: authenticationId } = data;
  switch (answer.kind) {
    case 'completed': {
      const { result } = answer;
      return { authentication: { kind: 'completed', authenticationId, result } };
    }
    case 'redirect':
    case 'waiting': {
      const pending = {
        kind: 'pending',
        authenticationId,
        resumption: resumptionOf(data),
      } as const;
      const { expiresAtMs } = answer;
      return { authentication: { ...pending, expiresAtMs, ...wayOf(answer) } };
    }
    case 'refused':
      // What would cover less satisfies no rule, also where the request demands an authentication.
      return refused(answer, 'isShort' in answer ? {} : data, isChallenged);
    case 'notFound':
      throw new Error('Risk begins authentications and does not know this one.');
  }
}

/** Where the browser goes, or what the app goes on with; nothing where the issuer asks elsewhere. */
function wayOf(answer: Extract<AuthenticationAnswer, { kind: 'redirect' | 'waiting' }>) {
  if (answer.kind === 'redirect') return { redirect: answer.redirect };
  const { appChallenge } = answer;
  return appChallenge === undefined ? {} : { appChallenge };
}

function resumptionOf({
  returnUrl,
  testDirectives,
  storedByPaymentId,
  authentication,
}: NewPaymentData) {
  return {
    ...(authentication !== undefined && { redirectUrl: authentication.redirectUrl }),
    ...(returnUrl !== undefined && { returnUrl }),
    ...(testDirectives !== undefined && { testDirectives }),
    ...(storedByPaymentId !== undefined && { storedByPaymentId }),
  };
}

/**
 * What a request demands is configured or not, or the request itself is at fault; a rule that nobody can
 * satisfy is a decision of risk.
 */
function refused(
  answer: Extract<AuthenticationAnswer | NoAuthentication, { kind: 'refused' }>,
  { authentication }: Pick<NewPaymentData, 'authentication'>,
  isChallenged: boolean,
): { readonly refusal: NoWay } {
  const { demandedBy } = authentication ?? {};
  const isOfRule = isChallenged && demandedBy === undefined;
  const { reason } = answer;
  const isSentWrongly = 'parameters' in answer;
  const ofRequest = isSentWrongly ? codes.invalidParameter : codes.notConfigured;
  const resultCode = isOfRule ? NOT_CHALLENGED : ofRequest;
  const by = isOfRule ? 'a rule of risk' : (demandedBy ?? 'a setting of the channel');
  const resultDescription = `${describeResult(resultCode)} - ${reason}, and ${by} demands it`;
  return { refusal: { resultCode, resultDescription } };
}

/** "User authentication failed in the risk check": merchants know its group as decisions of risk. */
const NOT_CHALLENGED = '100.380.401';
