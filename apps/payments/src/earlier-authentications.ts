import type { AuthenticationResult, InitiatePayment } from '@sluice/contracts';
import type { FirstAuthentication } from '@sluice/domain-payments';
import { type Opened, QueryUnavailable } from '@sluice/messaging';
import { compare, fromMessage } from '@sluice/money';
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
    const { transactionId: authenticationId, context, parameters } = data;
    const dsTransactionId = parameters[DIRECTORY_ID];
    if (dsTransactionId === undefined) return undefined;
    const covered = await this.#covered({ entityId: context.entityId, dsTransactionId });
    if (covered === undefined) return undefined;
    const [amount, paid] = [fromMessage(covered), fromMessage(data.amount)];
    if (amount.currency === paid.currency && compare(amount, paid) >= 0) return undefined;
    const result = { ...saidIn(parameters), liabilityShifts: false, authenticated: covered };
    return { kind: 'completed', authenticationId, result };
  }

  /** It only informs, so no payment waits for it. */
  async #covered(query: Parameters<RiskQuestions['coveredAmount']>[0]) {
    try {
      return (await this.parts.questions.coveredAmount(query)).amount;
    } catch (error) {
      if (!(error instanceof QueryUnavailable)) throw error;
      const words = 'Nobody says how much the authentication covers that a payment comes with.';
      this.parts.logger.warn({ err: error }, words);
      return undefined;
    }
  }
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
