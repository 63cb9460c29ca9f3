import type {
  AmountMessage,
  AuthenticationFindings,
  AuthenticationResult,
  CoveredAmountAnswer,
  InitiatePayment,
} from '@sluice/contracts';
import type { FirstAuthentication } from '@sluice/domain-payments';
import { type Opened, QueryUnavailable } from '@sluice/messaging';
import { compare, formatAmount, fromMessage } from '@sluice/money';
import type { Logger } from '@sluice/service';
import type { RiskQuestions } from './risk-questions.js';

/** The parts they are made of. */
export interface EarlierAuthenticationsParts {
  readonly questions: Pick<RiskQuestions, 'coveredAmount'>;
  readonly logger: Logger;
}

type NewPaymentData = Pick<
  Opened<InitiatePayment>['data'],
  'transactionId' | 'context' | 'amount' | 'notAuthenticated' | 'parameters'
>;

const DIRECTORY_ID = 'threeDSecure.dsTransactionId';
const STATUS = 'threeDSecure.authenticationStatus';
/** "Authentication successful". */
const PASSES = '000.400.110';

/** Whether a payment comes with the values of an authentication, and names it. */
export function namesAuthentication(
  data: Pick<NewPaymentData, 'notAuthenticated' | 'parameters'>,
): boolean {
  return data.notAuthenticated !== undefined && data.parameters[DIRECTORY_ID] !== undefined;
}

/**
 * Authentications that were made here without a payment (`POST /v1/threeDSecure`), whose values a payment comes
 * with: what they do not cover shifts no liability. That they cover it is for the issuer to say, who has the card.
 */
export class EarlierAuthentications {
  constructor(private readonly parts: EarlierAuthenticationsParts) {}

  /** What is recorded of one that covers less than is paid, or another currency; undefined of all others. */
  async notCovering(data: NewPaymentData): Promise<FirstAuthentication | undefined> {
    const covered = await this.#coveredIfKnown(data);
    if (covered === undefined || isCoveredBy(covered, data.amount)) return undefined;
    const result = { ...saidIn(data.parameters), liabilityShifts: false, authenticated: covered };
    return { kind: 'completed', authenticationId: data.transactionId, result };
  }

  /**
   * Why one does not prove what the payment claims by it, in words that stand alone: it is known here that it found
   * out something else, or covers less. Undefined where it does, and where it was made elsewhere.
   * @throws QueryUnavailable where risk does not answer: a rule waits for it
   */
  async disproof(data: NewPaymentData): Promise<string | undefined> {
    const { amount, found } = await this.#ask(data);
    if (found === undefined) return undefined;
    if (amount === undefined) return 'the authentication that it comes with has proven nobody';
    const other = contradictionOf(found, data.parameters);
    if (other !== undefined) return `${other} is not what its authentication found out`;
    if (isCoveredBy(amount, data.amount)) return undefined;
    const covered = `${formatAmount(fromMessage(amount))} ${amount.currency}`;
    return `its authentication covers ${covered}, and not what is paid`;
  }

  /** It only informs, so no payment waits for it. */
  async #coveredIfKnown(data: NewPaymentData) {
    try {
      return (await this.#ask(data)).amount;
    } catch (error) {
      if (!(error instanceof QueryUnavailable)) throw error;
      const words = 'Nobody says how much the authentication covers that a payment comes with.';
      this.parts.logger.warn({ err: error }, words);
      return undefined;
    }
  }

  async #ask({ context, parameters }: NewPaymentData): Promise<CoveredAmountAnswer> {
    const dsTransactionId = parameters[DIRECTORY_ID];
    if (dsTransactionId === undefined) return {};
    return this.parts.questions.coveredAmount({ entityId: context.entityId, dsTransactionId });
  }
}

function isCoveredBy(covered: AmountMessage, paid: AmountMessage): boolean {
  return (
    covered.currency === paid.currency && compare(fromMessage(covered), fromMessage(paid)) >= 0
  );
}

/** The first parameter that says something else than was found out; what is not sent claims nothing but a Y. */
function contradictionOf(
  found: AuthenticationFindings,
  parameters: Readonly<Record<string, string>>,
): string | undefined {
  const claimed: Readonly<Record<string, string>> = { [STATUS]: 'Y', ...parameters };
  const known: Readonly<Record<string, string | undefined>> = {
    [STATUS]: found.status,
    'threeDSecure.eci': found.eci,
    'threeDSecure.version': found.version,
    'threeDSecure.acsTransactionId': found.acsTransactionId,
  };
  return Object.keys(known).find((name) => {
    const said = claimed[name];
    // Ids are the same in capitals.
    return said !== undefined && said.toLowerCase() !== known[name]?.toLowerCase();
  });
}

/** As the merchant says it; the cryptogram is with the card. */
function saidIn(
  parameters: Readonly<Record<string, string>>,
): Omit<AuthenticationResult, 'liabilityShifts'> {
  const said = (name: string) => parameters[`threeDSecure.${name}`];
  const [status, eci, version] = ['authenticationStatus', 'eci', 'version'].map(said);
  const [dsTransactionId, acsTransactionId] = ['dsTransactionId', 'acsTransactionId'].map(said);
  const statusReason = said('transactionStatusReason');
  return {
    ...({ flow: 'none', goesOn: true, resultCode: PASSES } as const),
    ...((status === 'Y' || status === 'A') && { status }),
    ...(eci !== undefined && { eci }),
    ...(version !== undefined && { version }),
    ...(dsTransactionId !== undefined && { dsTransactionId }),
    ...(acsTransactionId !== undefined && { acsTransactionId }),
    ...(statusReason !== undefined && { statusReason }),
  };
}
