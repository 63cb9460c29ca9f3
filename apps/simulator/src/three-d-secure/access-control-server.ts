import type { Clock, TlsMaterial } from '@sluice/service';
import { randomUUID } from 'node:crypto';
import { Delays } from '../delays.js';
import { type ChallengeAnswer, isRight } from './challenge-answers.js';
import { answerOf, forged, resultOf } from './acs-messages.js';
import type { Authentication, AuthenticationBook, Ending } from './authentication-book.js';
import type { AppKeys } from './app-channel.js';
import type { AuthenticationRequest } from './authentication-request.js';
import { newProof } from './cryptogram.js';
import { decide, type IssuerDecision, reasons } from './issuer-decision.js';
import type { Message } from './messages.js';
import { eciOf, isProven, type Status, statuses } from './networks.js';
import { ResultSender } from './result-sender.js';
import { ContentSigner } from './signed-content.js';
import { cardIn } from './test-cards.js';

/** Why a challenge was left (EMV `challengeCancel`). */
const cancelCodes = { shopper: '01', timeout: '04', neverBegun: '05' } as const;
const WRONG_ANSWERS_MAX = 3;
const BIN_LENGTH = 6;
const LAST_DIGITS = 4;

/** How the ACS behaves. */
export interface AccessControlSettings {
  /** How long a shopper has for a challenge. */
  readonly pageMs: number;
  /** When whoever is asked by the bank has said yes, or in an app whose SDK does not come. */
  readonly unseenMs: number;
  /** How late RReq is where a test wants it late. */
  readonly lateMs: number;
  /** Between two attempts to send RReq. */
  readonly retryMs: number;
}

/** What the ACS says to a message, and the authentication that has begun. */
export interface Begun {
  readonly authentication: Authentication;
  readonly answer: Message;
}

/** What an ACS needs. */
export interface AccessControlParts {
  readonly book: AuthenticationBook;
  readonly clock: Clock;
  readonly settings: AccessControlSettings;
  readonly tls?: TlsMaterial | undefined;
}

/** The issuers' ACS: decides, asks shoppers, and sends results to the 3-D Secure server. */
export class AccessControlServer {
  readonly #delays = new Delays();
  readonly #signer = new ContentSigner();
  readonly #sender: ResultSender;
  /** Sending of results that is under way, by `acsTransID`. */
  readonly #sending = new Map<string, Promise<void>>();

  constructor(private readonly parts: AccessControlParts) {
    const { tls, settings } = parts;
    this.#sender = new ResultSender(tls, () => this.#delays.wait(settings.retryMs));
  }

  /** The book of what it has done. */
  get book(): AuthenticationBook {
    return this.parts.book;
  }

  /** Waits as a fault wants it; rejects at the end. */
  wait(delayMs: number): Promise<void> {
    return this.#delays.wait(delayMs);
  }

  /** Answers AReq. `challengeUrl` is where browsers find its pages. */
  begin(request: AuthenticationRequest, challengeUrl: string): Begun {
    const decision = decide(request);
    const authentication = this.#newOf(request, decision);
    this.parts.book.add(authentication);
    this.#noteMethod(request, authentication);
    const { status, reason } = decision;
    const answer = answerOf(authentication, challengeUrl, this.#signer);
    if (status === 'C' || status === 'D') this.#expect(authentication);
    else authentication.ending = { status, ...(reason !== undefined && { reason }) };
    return { authentication, answer };
  }

  /** CReq has come, or has come again. */
  challenge(authentication: Authentication, windowSize?: string, sessionData?: string): void {
    authentication.isChallenged = true;
    if (windowSize !== undefined) authentication.windowSize = windowSize;
    if (sessionData !== undefined) authentication.sessionData = sessionData;
  }

  /**
   * The shopper has answered. When this ends the challenge, resolves once the 3-D Secure server knows, or
   * cannot be told.
   */
  async answer(authentication: Authentication, answer: ChallengeAnswer): Promise<void> {
    const ending = authentication.ending ?? this.#endingBy(authentication, answer);
    if (ending === undefined) return;
    this.#end(authentication, ending);
    await this.#sending.get(authentication.id);
  }

  /** What it talks to the SDK of an app by; undefined where it asks no app. */
  keysOf({ request, decision }: Authentication): AppKeys | undefined {
    const { channel, sdkKey, sdkReferenceNumber } = request;
    if (channel !== 'app' || decision.status !== 'C' || sdkReferenceNumber === undefined) {
      return undefined;
    }
    const secret = this.#signer.secretWith(sdkKey);
    return secret && { secret, sdkReferenceNumber };
  }

  /** Ends all waiting. */
  close(): void {
    this.#delays.cancelAll();
    this.#sender.close();
  }

  #newOf(request: AuthenticationRequest, decision: IssuerDecision): Authentication {
    const { number, ...rest } = request;
    return {
      ...{ id: randomUUID(), dsTransactionId: randomUUID() },
      ...{ request: rest, decision, beganAtMs: this.parts.clock.now() },
      bin: number.slice(0, BIN_LENGTH),
      last4: number.slice(-LAST_DIGITS),
      proofs: {
        Y: newProof({ number, ...request.purchase }),
        A: newProof({ number, ...request.purchase, isAttempt: true }),
      },
      eci: Object.fromEntries(
        statuses.map((status) => [status, eciOf(request.network, number, status)]),
      ),
      ...{
        isChallenged: false,
        appMessages: 0,
        answers: 0,
        wrongAnswers: 0,
        isDelivered: false,
        notes: [],
      },
    };
  }

  /** A gateway is to have loaded the page of a card that has one; who has not is served, and noted. */
  #noteMethod(request: AuthenticationRequest, { notes }: Authentication): void {
    const { network, number, methodCompleted, serverTransactionId, channel } = request;
    if (channel !== 'browser') return;
    const hasPage = cardIn(network, number)?.hasMethod === true;
    const wasLoaded = this.parts.book.hasMethod(serverTransactionId);
    if (hasPage && methodCompleted !== 'Y') {
      notes.push(
        `The card has a page of the 3DS method, and threeDSCompInd is ${methodCompleted}.`,
      );
    }
    if (hasPage && methodCompleted === 'Y' && !wasLoaded) {
      notes.push('threeDSCompInd is Y, and nobody has loaded the page of the 3DS method.');
    }
    if (!hasPage && methodCompleted !== 'U') {
      notes.push(
        `The card has no page of the 3DS method, and threeDSCompInd is ${methodCompleted}.`,
      );
    }
  }

  /** A shopper may never come; one who is asked without a page says yes by itself. */
  #expect(authentication: Authentication): void {
    const { settings } = this.parts;
    const { request, decision } = authentication;
    const isUnseen = decision.status === 'D' || request.channel === 'app';
    const giveUp = (): void => this.#end(authentication, timedOut(authentication));
    if (isUnseen) {
      this.#later(settings.unseenMs, () => {
        // An app with an SDK has come by then.
        if (authentication.isChallenged) this.#later(settings.pageMs, giveUp);
        else this.#end(authentication, wished(authentication, 'Y'));
      });
    } else {
      this.#later(settings.pageMs, giveUp);
    }
    if (request.wishes.fault === 'rreqBeforeCreq') {
      this.#track(authentication, this.#deliver(authentication, wished(authentication, 'Y')));
    }
  }

  /** Nothing happens once the simulator stops. */
  #later(afterMs: number, then: () => void): void {
    this.#delays.wait(afterMs).then(then, () => undefined);
  }

  #endingBy(authentication: Authentication, answer: ChallengeAnswer): Ending | undefined {
    authentication.answers += 1;
    switch (answer.kind) {
      case 'cancelled': {
        const { shopper: challengeCancel } = cancelCodes;
        return { status: 'N', reason: reasons.cardAuthenticationFailed, challengeCancel };
      }
      case 'approved':
        return wished(authentication, 'Y');
      case 'declined':
        return wished(authentication, 'N', reasons.cardAuthenticationFailed);
      case 'answered':
        if (isRight(authentication.decision.challenge, answer.values)) {
          return wished(authentication, 'Y');
        }
        authentication.wrongAnswers += 1;
        return authentication.wrongAnswers < WRONG_ANSWERS_MAX
          ? undefined
          : wished(authentication, 'N', reasons.tooManyChallenges);
    }
  }

  #end(authentication: Authentication, ending: Ending): void {
    if (authentication.ending !== undefined) return;
    authentication.ending = ending;
    const { fault } = authentication.request.wishes;
    if (fault === 'rreqBeforeCreq' || fault === 'rreqNever') return;
    if (fault === 'rreqLate') {
      const late = this.#delays.wait(this.parts.settings.lateMs);
      late.then(() => this.#deliver(authentication, ending)).catch(() => undefined);
      return;
    }
    this.#track(authentication, this.#deliver(authentication, ending));
  }

  #track({ id }: Authentication, sending: Promise<void>): void {
    // Rejected where the simulator stops between two attempts: then nobody waits for it.
    const sent = sending.catch(() => undefined).finally(() => this.#sending.delete(id));
    this.#sending.set(id, sent);
  }

  async #deliver(authentication: Authentication, ending: Ending): Promise<void> {
    const { resultsUrl, wishes } = authentication.request;
    const message = resultOf(authentication, ending);
    if (wishes.fault === 'rreqForged') {
      const taken = await this.#sender.send(resultsUrl, forged(authentication, message), 1);
      authentication.notes.push(`A forged RReq was ${taken ? 'taken' : 'not taken'}.`);
    }
    authentication.isDelivered = await this.#sender.send(resultsUrl, message);
    if (wishes.fault === 'rreqTwice') {
      const again = await this.#sender.send(resultsUrl, message);
      authentication.notes.push(`The second RReq was ${again ? 'answered' : 'not answered'}.`);
    }
    if (!authentication.isDelivered) authentication.notes.push('No RRes has come.');
  }
}

/** What a test wants a challenge to end with comes before what the shopper says. */
function wished({ decision }: Authentication, status: Status, reason?: string): Ending {
  const { endsWith } = decision;
  if (endsWith !== undefined && endsWith !== status) {
    return isProven(endsWith)
      ? { status: endsWith }
      : { status: endsWith, reason: reasons.cardAuthenticationFailed };
  }
  return { status, ...(reason !== undefined && { reason }) };
}

function timedOut({ isChallenged }: Authentication): Ending {
  const challengeCancel = isChallenged ? cancelCodes.timeout : cancelCodes.neverBegun;
  return { status: 'N', reason: reasons.timedOut, challengeCancel };
}
