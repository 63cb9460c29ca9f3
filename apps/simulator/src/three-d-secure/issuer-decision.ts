import type { AuthenticationRequest } from './authentication-request.js';
import type { MessageVersion } from './messages.js';
import type { Status } from './networks.js';
import { cardIn, type CardOutcome, type ChallengeKind, type TestCard } from './test-cards.js';

/** What the issuer says to AReq. */
export interface IssuerDecision {
  readonly status: Status;
  /** EMV `transStatusReason`. */
  readonly reason?: string;
  /** How the shopper is asked, where one is. */
  readonly challenge: ChallengeKind;
  /** What the challenge ends with, whatever the shopper says. */
  readonly endsWith?: Status;
}

/** EMV `transStatusReason`, as far as it is used here. */
export const reasons = {
  cardAuthenticationFailed: '01',
  invalidTransaction: '07',
  noCardRecord: '08',
  suspectedFraud: '11',
  notEnrolled: '13',
  timedOut: '14',
  tooManyChallenges: '19',
  technicalProblem: '22',
  decouplingNotRequested: '23',
} as const;

/** "No preference" and all others let the issuer do as it likes; these two do not. */
const MANDATED = '04';
const DATA_ONLY = '06';

/**
 * Decides by the card and by what the test wants. A number in no range, which a gateway should not ask
 * about, is answered with U and "no card record": a directory server has no issuer that it could ask.
 */
export function decide(request: AuthenticationRequest): IssuerDecision {
  const { wishes, network, number, version } = request;
  const card = cardIn(network, number);
  if (card === undefined && wishes.isEnrolled !== true) {
    return { ...NOT_ASKED, status: 'U', reason: reasons.noCardRecord };
  }
  const challenge = card?.challenge ?? NOT_ASKED.challenge;
  const { flow, status: wished } = wishes;
  if (flow === 'challenge' && request.channel !== 'shopperAbsent') {
    return { status: 'C', challenge, ...(wished !== undefined && { endsWith: wished }) };
  }
  const status = wished ?? (flow === 'frictionless' ? 'Y' : statusOf(request, card));
  const reason = reasonOf(status, request, version);
  return { status, challenge, ...(reason !== undefined && { reason }) };
}

const NOT_ASKED = { challenge: 'oneTimePassword' } as const;

function statusOf(request: AuthenticationRequest, card: TestCard | undefined): Status {
  const { challengeWishes, channel, version } = request;
  const outcome = card?.outcome ?? 'ok';
  if (outcome === 'informed' && version === '2.1.0') return 'N';
  if (channel === 'shopperAbsent') return STATUSES[withoutShopper(outcome, request)];
  // Whoever shares data only is not challenged (EMV 3-D Secure, table A.17).
  if (challengeWishes.includes(DATA_ONLY) && !REFUSED.has(outcome)) return 'I';
  if (outcome === 'decoupled' && !request.mayDecouple) return 'C';
  const isAsked = ASKED_ON_DEMAND.has(outcome) && challengeWishes.includes(MANDATED);
  return isAsked ? 'C' : STATUSES[outcome];
}

/** Nobody is there to be asked. */
function withoutShopper(outcome: CardOutcome, { mayDecouple }: AuthenticationRequest): CardOutcome {
  if (outcome === 'challenge') return 'ok';
  return outcome === 'decoupled' && !mayDecouple ? 'notEnrolled' : outcome;
}

const ASKED_ON_DEMAND: ReadonlySet<CardOutcome> = new Set(['ok', 'attempt', 'informed']);
const REFUSED: ReadonlySet<CardOutcome> = new Set(['error', 'notEnrolled', 'rejected']);

const STATUSES: Readonly<Record<CardOutcome, Status>> = {
  ok: 'Y',
  attempt: 'A',
  error: 'U',
  notEnrolled: 'N',
  challenge: 'C',
  decoupled: 'D',
  rejected: 'R',
  informed: 'I',
};

/** N, U and R say why; reasons from 22 on came with 2.2.0. */
function reasonOf(
  status: Status,
  { channel, network, number }: AuthenticationRequest,
  version: MessageVersion,
): string | undefined {
  switch (status) {
    case 'U':
      return version === '2.1.0' ? reasons.invalidTransaction : reasons.technicalProblem;
    case 'R':
      return reasons.suspectedFraud;
    case 'N': {
      const isDecoupled = cardIn(network, number)?.outcome === 'decoupled';
      return channel === 'shopperAbsent' && isDecoupled && version !== '2.1.0'
        ? reasons.decouplingNotRequested
        : reasons.notEnrolled;
    }
    case 'Y':
    case 'A':
    case 'C':
    case 'D':
    case 'I':
      return undefined;
  }
}
