import type { AuthenticationRequest } from './authentication-request.js';
import type { IssuerDecision } from './issuer-decision.js';
import type { Status } from './networks.js';

/** How an authentication ended at the ACS. */
export interface Ending {
  readonly status: Status;
  readonly reason?: string;
  /** Why a challenge was left (EMV `challengeCancel`). */
  readonly challengeCancel?: string;
}

/** An authentication as the ACS has it. */
export interface Authentication {
  /** EMV `acsTransID`; names the pages of its challenge. */
  readonly id: string;
  readonly dsTransactionId: string;
  /** Without the number. */
  readonly request: Omit<AuthenticationRequest, 'number'>;
  readonly bin: string;
  readonly last4: string;
  readonly decision: IssuerDecision;
  /** What proves a success; kept because the number is not. */
  readonly proofs: Readonly<Record<'A' | 'Y', string>>;
  readonly eci: Readonly<Partial<Record<Status, string>>>;
  readonly beganAtMs: number;
  /** Whether CReq has come. */
  isChallenged: boolean;
  /** What the browser brought with it and takes back. */
  sessionData?: string;
  windowSize?: string;
  /** CReq that came from an app. */
  appMessages: number;
  /** Answers of the shopper, and how many of them were wrong. */
  answers: number;
  wrongAnswers: number;
  ending?: Ending;
  /** Whether RRes has come. */
  isDelivered: boolean;
  readonly notes: string[];
}

/** What is shown of one. */
export type ShownAuthentication = Readonly<Record<string, unknown>>;

/** Some hours of tests; a restart forgets all of them. */
const AUTHENTICATIONS_MAX = 10_000;

/**
 * The ACS's book, in memory: whoever restarts the simulator leaves challenges behind that nobody ends,
 * as an ACS that fails does; their pages know the way back. When it is full, the oldest is forgotten.
 */
export class AuthenticationBook {
  readonly #byId = new Map<string, Authentication>();
  /** By `threeDSServerTransID`: whose page of the 3DS method was loaded. */
  readonly #methods = new Set<string>();

  /** Takes one in. */
  add(authentication: Authentication): void {
    dropOldest(this.#byId);
    this.#byId.set(authentication.id, authentication);
  }

  /** The one with this `acsTransID`. */
  find(id: string): Authentication | undefined {
    return this.#byId.get(id);
  }

  /** The one that a 3-D Secure server knows by this `threeDSServerTransID`. */
  ofServer(serverTransactionId: string): Authentication | undefined {
    const all = [...this.#byId.values()];
    return all.find(({ request }) => request.serverTransactionId === serverTransactionId);
  }

  /** The page of the 3DS method was loaded. */
  addMethod(serverTransactionId: string): void {
    dropOldest(this.#methods);
    this.#methods.add(serverTransactionId);
  }

  /** Whether it was. */
  hasMethod(serverTransactionId: string): boolean {
    return this.#methods.has(serverTransactionId);
  }

  /** All of them as they are now, the oldest first; no card number and no cryptogram. */
  *lines(): Generator<ShownAuthentication> {
    for (const authentication of this.#byId.values()) yield shown(authentication);
  }
}

function dropOldest(collection: Map<string, unknown> | Set<string>): void {
  if (collection.size < AUTHENTICATIONS_MAX) return;
  const [oldest] = collection.keys();
  if (oldest !== undefined) collection.delete(oldest);
}

function shown(authentication: Authentication): ShownAuthentication {
  const { id, dsTransactionId, request, bin, last4, decision, ending, windowSize } = authentication;
  const { network, version, serverTransactionId, channel, category, purchase } = request;
  return {
    acsTransID: id,
    dsTransID: dsTransactionId,
    threeDSServerTransID: serverTransactionId,
    ...{ network, version, channel, category, bin, last4, ...purchase },
    status: decision.status,
    ...(decision.status === 'C' && { challenge: decision.challenge }),
    isChallenged: authentication.isChallenged,
    ...(windowSize !== undefined && { windowSize }),
    answers: authentication.answers,
    ...(ending && { ending }),
    isDelivered: authentication.isDelivered,
    notes: authentication.notes,
    beganAtMs: authentication.beganAtMs,
  };
}
