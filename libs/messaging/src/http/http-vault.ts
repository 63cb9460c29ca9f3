import { setTimeout as pause } from 'node:timers/promises';
import {
  type AuthenticationVault,
  type BankAccountToKeep,
  type BankAccountVault,
  type DetailsToHold,
  type DetailsToKeep,
  type HeldDetails,
  type KeepingVault,
  type KeptChange,
  type KeptBefore,
  type KeptDetails,
  type OpenedToken,
  RegistrationForgotten,
  type RevealedInstrument,
  type SavingVault,
  type SecretDetails,
  type TokenToOpen,
  type TokenVault,
  type Vault,
} from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import {
  type Clock,
  DependencyMissing,
  type HttpResult,
  type Logger,
  type TlsMaterial,
} from '@sluice/service';
import {
  cardPaths,
  clearDetails,
  detailsMessage,
  readDetailsMessage,
  type RevealAnswer,
  savingMessage,
  secretsIn,
  tokenMessage,
} from './detail-messages.js';
import { isAway, ServiceInstances } from './service-instances.js';
import { UnknownInstances } from './unknown-instances.js';

/** Where the vault is. */
export interface HttpVaultOptions {
  /** The internal URLs of its instances, the one that calls itself `…-0` first (D-42). */
  readonly urls: readonly string[];
  readonly tls?: TlsMaterial | undefined;
  /**
   * Logs references that name an instance missing from `urls`; for services that have details
   * revealed.
   */
  readonly logger?: Logger;
  /** Tests can stop it. */
  readonly clock?: Clock;
}

/**
 * No instance of the vault did what was asked; the message gives the reason and contains no card
 * data.
 */
export class VaultUnavailable extends Error {
  override readonly name = 'VaultUnavailable';

  constructor(
    readonly work: keyof typeof cardPaths,
    reason: string,
  ) {
    super(`The vault did not ${work}: ${reason}.`);
  }
}

/** A merchant waits for it; holding takes a millisecond or two. */
const HOLD_TIMEOUT_MS = 4_000;
/** A frozen instance must leave time for the next one. */
const HOLD_TRY_TIMEOUT_MS = 1_500;
/** D-25: a call must begin within 2 s of its request event, so a card that comes later is useless. */
const REVEAL_TIMEOUT_MS = 1_500;
const REVEAL_TRY_TIMEOUT_MS = 700;
const REVEAL_AGAIN_AFTER_MS = 100;
/** No answer may wait long for it: what is not forgotten expires. */
const FORGET_TIMEOUT_MS = 1_000;
/** A merchant waits for it; what is not done by then is done by the sweeper of who asked. */
const KEEP_TIMEOUT_MS = 4_000;

/**
 * Connections per instance. A burst on processes that have just started would open one per card,
 * and sixty handshakes at once take longer than a card may take; eight take a third of that time,
 * and carry some thousand cards a second.
 */
const CONNECTIONS_MAX = 8;

/** Only the start waits for it. */
const CONNECT_TIMEOUT_MS = 3_000;

/** The instance's number at the end of its name, in front of the dot: `vault-1.6f…`. */
const INSTANCE = /-([0-9]{1,3})\./;

const NOT_NAMED =
  'Cards are with an instance of the vault that VAULT_URLS does not name: what only that one has, ' +
  'the security code too, is not found, and their payments are not performed (900.100.310). Name ' +
  'it there as docs/how-to/scale.md says: for payments before edge.';

/**
 * The vault over HTTP (D-05). The reference names the instance that has the security code (D-42),
 * so that one is asked first; if it is gone for good, any other can still read the row.
 */
export class HttpVault
  implements Vault, KeepingVault, TokenVault, BankAccountVault, SavingVault, AuthenticationVault
{
  readonly #instances: ServiceInstances;
  readonly #unknown: UnknownInstances | undefined;

  constructor({ urls, tls, logger, clock }: HttpVaultOptions) {
    this.#instances = new ServiceInstances({ urls, tls, connectionsMax: CONNECTIONS_MAX });
    this.#unknown = logger && new UnknownInstances(logger, NOT_NAMED, clock);
  }

  /**
   * Opens all connections to all instances with requests that ask for nothing, because the
   * handshakes of a process that has just started take longer than its first cards may. Throws
   * DependencyMissing when no instance answers.
   */
  async connect(): Promise<void> {
    const body = JSON.stringify({ reference: '' });
    const request = { path: cardPaths.reveal, body, timeoutMs: CONNECT_TIMEOUT_MS };
    const result = await this.#instances.reach(request, CONNECTIONS_MAX);
    if (result.kind !== 'answered') throw new DependencyMissing(`the vault: ${result.reason}`);
    if (result.statusCode !== 200) {
      throw new DependencyMissing(`the vault answers with status ${result.statusCode}`);
    }
  }

  /** On whichever instance accepts them; details that were held twice by accident expire. */
  async hold(details: DetailsToHold): Promise<HeldDetails> {
    const result = await this.#instances.post({
      path: cardPaths.hold,
      body: JSON.stringify(detailsMessage(details)),
      timeoutMs: HOLD_TIMEOUT_MS,
      tryTimeoutMs: HOLD_TRY_TIMEOUT_MS,
    });
    return answerOf<HeldDetails>('hold', result);
  }

  /** On whichever instance: they share what was used before, so the second of two is no other use. */
  async openToken(toOpen: TokenToOpen): Promise<OpenedToken> {
    const result = await this.#instances.post({
      path: cardPaths.openToken,
      body: JSON.stringify(tokenMessage(toOpen)),
      timeoutMs: HOLD_TIMEOUT_MS,
      tryTimeoutMs: HOLD_TRY_TIMEOUT_MS,
    });
    return answerOf<OpenedToken>('openToken', result);
  }

  /** Tried again for a moment, because a vault that restarts is back before the call must begin. */
  async reveal(reference: string, use?: 'last'): Promise<RevealedInstrument | undefined> {
    const endsAtMs = performance.now() + REVEAL_TIMEOUT_MS;
    for (;;) {
      const result = await this.#instances.post(
        {
          path: cardPaths.reveal,
          body: JSON.stringify({ reference, use }),
          timeoutMs: Math.max(1, endsAtMs - performance.now()),
          tryTimeoutMs: REVEAL_TRY_TIMEOUT_MS,
        },
        this.#instanceOf(reference),
      );
      const isOver = performance.now() + REVEAL_AGAIN_AFTER_MS >= endsAtMs;
      if (!isAway(result) || isOver) {
        const answer = answerOf<RevealAnswer>('reveal', result);
        if (answer.isRegistrationForgotten === true) throw new RegistrationForgotten();
        return readDetailsMessage(answer.instrument);
      }
      await pause(REVEAL_AGAIN_AFTER_MS);
    }
  }

  /** On the instance that has the security code; all instances share the row. */
  async forget(reference: string): Promise<void> {
    const result = await this.#instances.post(
      {
        path: cardPaths.forget,
        body: JSON.stringify({ reference }),
        timeoutMs: FORGET_TIMEOUT_MS,
      },
      this.#instanceOf(reference),
    );
    answerOf('forget', result);
  }

  /** On whichever instance; what was saved twice by accident expires. */
  async saveDetails(details: DetailsToHold, lifeMs: number): Promise<string> {
    const result = await this.#instances.post({
      ...{ path: cardPaths.saveDetails, body: JSON.stringify(savingMessage(details, lifeMs)) },
      ...{ timeoutMs: HOLD_TIMEOUT_MS, tryTimeoutMs: HOLD_TRY_TIMEOUT_MS },
    });
    return answerOf<{ reference: string }>('saveDetails', result).reference;
  }

  /** On the instance that has the security code; any other can still read the row. */
  async readSaved(reference: string): Promise<SecretDetails | undefined> {
    const body = JSON.stringify({ reference });
    const request = { path: cardPaths.readSaved, body, timeoutMs: HOLD_TIMEOUT_MS };
    const tried = { ...request, tryTimeoutMs: HOLD_TRY_TIMEOUT_MS };
    const result = await this.#instances.post(tried, this.#instanceOf(reference));
    return secretsIn(answerOf<{ details?: unknown }>('readSaved', result).details);
  }

  /** On the instance that has the security code; all instances share the row. */
  async forgetSaved(reference: string): Promise<void> {
    const body = JSON.stringify({ reference });
    const request = { path: cardPaths.forgetSaved, body, timeoutMs: FORGET_TIMEOUT_MS };
    answerOf('forgetSaved', await this.#instances.post(request, this.#instanceOf(reference)));
  }

  /** On the instance that holds them; any other can still read the row. */
  async keep(toKeep: DetailsToKeep): Promise<KeptDetails | KeptBefore | undefined> {
    const result = await this.#instances.post(
      { path: cardPaths.keep, body: JSON.stringify(toKeep), timeoutMs: KEEP_TIMEOUT_MS },
      this.#instanceOf(toKeep.heldReference),
    );
    return answerOf<{ kept?: KeptDetails | KeptBefore }>('keep', result).kept;
  }

  /** On any instance: all share the row. */
  async changeKept(change: KeptChange): Promise<boolean> {
    const body = JSON.stringify(change);
    const result = await this.#instances.post({
      ...{ path: cardPaths.changeKept, body, timeoutMs: KEEP_TIMEOUT_MS },
    });
    return answerOf<{ isChanged: boolean }>('changeKept', result).isChanged;
  }

  /** On any instance: all share the row. */
  async forgetKept(registrationId: string): Promise<void> {
    const body = JSON.stringify({ registrationId });
    const result = await this.#instances.post({
      ...{ path: cardPaths.forgetKept, body, timeoutMs: KEEP_TIMEOUT_MS },
    });
    answerOf('forgetKept', result);
  }

  /** On the instance that holds it; any other can still read the row. */
  async keepBankAccount(toKeep: BankAccountToKeep): Promise<boolean> {
    const result = await this.#instances.post(
      { path: cardPaths.keepBankAccount, body: JSON.stringify(toKeep), timeoutMs: KEEP_TIMEOUT_MS },
      this.#instanceOf(toKeep.heldReference),
    );
    return answerOf<{ isKept: boolean }>('keepBankAccount', result).isKept;
  }

  /** On any instance: all share the row. */
  async revealBankAccount(orderId: string): Promise<RevealedInstrument | undefined> {
    const body = JSON.stringify({ orderId });
    const result = await this.#instances.post({
      ...{ path: cardPaths.revealBankAccount, body, timeoutMs: KEEP_TIMEOUT_MS },
    });
    const { instrument } = answerOf<{ instrument?: unknown }>('revealBankAccount', result);
    return readDetailsMessage(instrument);
  }

  /** On any instance: all share the row. */
  async forgetBankAccount(orderId: string): Promise<void> {
    const body = JSON.stringify({ orderId });
    const result = await this.#instances.post({
      ...{ path: cardPaths.forgetBankAccount, body, timeoutMs: KEEP_TIMEOUT_MS },
    });
    answerOf('forgetBankAccount', result);
  }

  /** On the instance that holds it; any other can still read the row. */
  async revealNumber(reference: string): Promise<Detail | undefined> {
    const answer = await this.#revealed<{ number?: string }>('revealNumber', reference);
    return answer.number === undefined ? undefined : new Detail(answer.number);
  }

  /** On any instance: all share the row. */
  async holdProof(cryptogram: Detail): Promise<string> {
    const body = JSON.stringify(clearDetails({ cryptogram }));
    const result = await this.#instances.post({
      ...{ path: cardPaths.holdProof, body, timeoutMs: HOLD_TIMEOUT_MS },
      tryTimeoutMs: HOLD_TRY_TIMEOUT_MS,
    });
    return answerOf<{ reference: string }>('holdProof', result).reference;
  }

  /** On any instance: all share the row. */
  async revealProof(reference: string): Promise<Detail | undefined> {
    const answer = await this.#revealed<{ cryptogram?: string }>('revealProof', reference);
    return answer.cryptogram === undefined ? undefined : new Detail(answer.cryptogram);
  }

  async #revealed<Answer>(work: 'revealNumber' | 'revealProof', reference: string) {
    const result = await this.#instances.post(
      {
        ...{ path: cardPaths[work], body: JSON.stringify({ reference }) },
        ...{ timeoutMs: REVEAL_TIMEOUT_MS, tryTimeoutMs: REVEAL_TRY_TIMEOUT_MS },
      },
      this.#instanceOf(reference),
    );
    return answerOf<Answer>(work, result);
  }

  /** Closes every connection. */
  close(): Promise<void> {
    return this.#instances.close();
  }

  /** Which instance to ask first; undefined when it is not known here, so that any may be asked. */
  #instanceOf(reference: string): number | undefined {
    const number = Number(INSTANCE.exec(reference)?.[1]);
    if (Number.isNaN(number)) return undefined;
    const { count } = this.#instances;
    if (number < count) return number;
    this.#unknown?.met(number, count);
    return undefined;
  }
}

/** The answer's JSON; never the parser's error, which would quote what it could not read. */
function answerOf<Answer>(work: keyof typeof cardPaths, result: HttpResult): Answer {
  if (result.kind !== 'answered') throw new VaultUnavailable(work, result.reason);
  if (result.statusCode !== 200) throw new VaultUnavailable(work, `status ${result.statusCode}`);
  try {
    return JSON.parse(result.body) as Answer;
  } catch {
    throw new VaultUnavailable(work, 'malformed answer');
  }
}
