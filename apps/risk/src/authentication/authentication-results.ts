import type { X509Certificate } from 'node:crypto';
import { setTimeout as elapsed } from 'node:timers/promises';
import type { AuthenticationVault } from '@sluice/contracts';
import {
  type Authentication,
  buildMessage,
  checkMessage,
  type ErroMessage,
  erroAbout,
  isAwaited,
  isRepeated,
  type Message,
  messageCharactersMax,
  type MessageOf,
  parseMessage,
  type ResultIds,
} from '@sluice/domain-three-d-secure';
import type { EventStore } from '@sluice/event-store';
import { Detail } from '@sluice/secrets';
import type { Clock, Logger } from '@sluice/service';
import type { RiskMetrics } from '../risk-metrics.js';
import type {
  AuthenticationStream,
  AuthenticationStreams,
  AuthenticationWriter,
} from './authentication-aggregate.js';
import { isStatus, sdkIdIn, transactionOf } from './directory-requests.js';
import type { DirectoryServers } from './directory-servers.js';

/** The parts they are made of. */
export interface AuthenticationResultsParts {
  readonly store: Pick<EventStore, 'readByTransaction'>;
  readonly streams: AuthenticationStreams;
  readonly writer: AuthenticationWriter;
  readonly servers: Pick<DirectoryServers, 'mayTell'>;
  readonly vault: Pick<AuthenticationVault, 'holdProof'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Pick<RiskMetrics, 'resultRefused'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Less than a result has once its shopper is back (30 s), and than a process has to end. */
const HELD_WITHIN_MS = 15_000;
const HELD_AGAIN_AFTER_MS = 500;

type Result = NonNullable<ReturnType<typeof resultIn>>;

/** A message that was read, with its answer: for an awaited result RRes, once it is recorded. */
interface ReadMessage {
  readonly answer: Message;
  /** Of the transaction whose result it is, and a wrong one. */
  readonly wrong?: ResultIds;
  readonly awaited?: { readonly result: Result; readonly message: MessageOf<'RReq'> };
}

const UNKNOWN = { code: '301', detail: 'threeDSServerTransID' } as const;

/**
 * Results of challenges as issuers tell them (RReq, answered by RRes): the only word of a challenge that
 * counts. It may come before, after and without the browser, and more than once.
 */
export class AuthenticationResults {
  constructor(private readonly parts: AuthenticationResultsParts) {}

  /**
   * The answer to a message, whatever it is: RRes where its result is recorded, else Erro.
   * @param certificate of whoever sent it; absent: on this machine, in clear
   */
  async receive(text: string, certificate: X509Certificate | undefined): Promise<Message> {
    const parsed = parseMessage(text, messageCharactersMax.RReq);
    if ('erro' in parsed) return this.#refuse(parsed.erro);
    const id = parsed.value['threeDSServerTransID'];
    const found =
      typeof id === 'string' && EMV_ID.test(id)
        ? await this.parts.store.readByTransaction(transactionOf(id))
        : undefined;
    if (found === undefined) return this.#refuse(erroAbout(parsed.value, UNKNOWN));
    const { streams, writer, clock } = this.parts;
    const stream = streams.hold(found.streamId);
    const read = () =>
      streams.inTurn(stream, async () => {
        await writer.reload(stream);
        const message = this.#read(parsed.value, stream, certificate);
        const { wrong } = message;
        if (wrong)
          await writer.record(stream, { type: 'RefuseResult', nowMs: clock.now(), ...wrong });
        return message;
      });
    try {
      const { answer, awaited } = await read();
      if (awaited === undefined) return answer;
      // Out of its turn: neither the shopper nor the same result once more has to wait for the vault.
      const proofReference = await this.#held(awaited.message);
      return await streams.inTurn(stream, async () => {
        await writer.reload(stream);
        const again = this.#read(parsed.value, stream, certificate);
        if (again.awaited) await this.#record(again.awaited.result, proofReference, stream);
        return again.answer;
      });
    } finally {
      streams.release(stream);
    }
  }

  /** In the stream's turn: a result that it waits for, or the answer to anything else. */
  #read(
    value: Message,
    stream: AuthenticationStream,
    certificate: X509Certificate | undefined,
  ): ReadMessage {
    const { state } = stream;
    const refused = (erro: Message): ReadMessage => ({ answer: this.#refuse(erro) });
    if (state === undefined) return refused(erroAbout(value, UNKNOWN));
    // Whoever was not asked is told nothing of it.
    if (!this.parts.servers.mayTell(state.terms, certificate)) {
      return refused(erroAbout(value, UNKNOWN));
    }
    const { terms, serverTransactionId, response } = state;
    const checked = checkMessage(value, {
      ...({ type: 'RReq', version: terms.version, channel: terms.channel } as const),
      category: terms.category,
      ids: {
        threeDSServerTransID: serverTransactionId,
        ...sdkIdIn(terms),
        ...(response && { acsTransID: response.acsTransactionId }),
        ...(response && { dsTransID: response.dsTransactionId }),
      },
    });
    const wrong = (erro: ErroMessage): ReadMessage => ({
      ...refused(erro),
      ...wrongIn(value, erro, state),
    });
    if ('erro' in checked) return wrong(checked.erro);
    if ('received' in checked) return refused(erroAbout(value, NOT_A_RESULT));
    const { message } = checked;
    if (message.messageCategory !== terms.category) {
      return wrong(erroAbout(value, WRONG_CATEGORY));
    }
    const result = resultIn(message);
    if (result === undefined) return wrong(erroAbout(value, WRONG_STATUS));
    const answer = buildMessage(
      'RRes',
      terms.version,
      {
        ...sdkIdIn(terms),
        ...{
          threeDSServerTransID: result.serverTransactionId,
          acsTransID: result.acsTransactionId,
        },
        ...{ dsTransID: result.dsTransactionId, resultsStatus: '01' },
      },
      { channel: terms.channel },
    );
    if (isAwaited(result, state)) return { answer, awaited: { result, message } };
    return isRepeated(result, state) ? { answer } : refused(erroAbout(value, UNKNOWN));
  }

  /**
   * The cryptogram's reference. A vault that is away for a moment, as in an update, loses no result: issuers
   * tell one a few times within seconds, or once. What is held twice expires.
   */
  async #held({ authenticationValue }: MessageOf<'RReq'>): Promise<string | undefined> {
    if (authenticationValue === undefined) return undefined;
    const endsAtMs = performance.now() + HELD_WITHIN_MS;
    for (;;) {
      try {
        return await this.parts.vault.holdProof(new Detail(authenticationValue));
      } catch (error) {
        if (performance.now() >= endsAtMs) throw error;
        await elapsed(HELD_AGAIN_AFTER_MS);
      }
    }
  }

  async #record(
    result: Result,
    proofReference: string | undefined,
    stream: AuthenticationStream,
  ): Promise<void> {
    const { writer, clock } = this.parts;
    await writer.record(stream, {
      ...({ type: 'RecordResult', nowMs: clock.now() } as const),
      ...result,
      ...(proofReference !== undefined && { proofReference }),
    });
  }

  #refuse(erro: Message): Message {
    const { errorCode, errorDetail } = erro;
    this.parts.metrics.resultRefused();
    this.parts.logger.warn({ errorCode, errorDetail }, 'A result of an issuer is not taken.');
    return erro;
  }
}

const NOT_A_RESULT = { code: '101', detail: 'messageType' } as const;
const WRONG_CATEGORY = { code: '203', detail: 'messageCategory' } as const;
const WRONG_STATUS = { code: '203', detail: 'transStatus' } as const;
const EMV_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/**
 * That a refused message is the result of this transaction: EMV ends a transaction with an error about it, and its
 * sender knows no better one, so nobody waits any longer.
 */
function wrongIn(
  { messageType, threeDSServerTransID, dsTransID, acsTransID }: Message,
  { errorCode }: ErroMessage,
  state: Authentication,
): Pick<ReadMessage, 'wrong'> {
  if (messageType !== 'RReq' || errorCode === UNKNOWN.code) return {};
  const ids = {
    serverTransactionId: String(threeDSServerTransID),
    ...{ dsTransactionId: String(dsTransID), acsTransactionId: String(acsTransID) },
  };
  return isAwaited(ids, state) ? { wrong: ids } : {};
}

/** Undefined for a status that ends no challenge. */
function resultIn(message: MessageOf<'RReq'>) {
  const { transStatus: status, eci, transStatusReason, challengeCancel } = message;
  if (!isStatus(status) || status === 'C' || status === 'D' || status === 'I') return undefined;
  return {
    ...{ status, serverTransactionId: message.threeDSServerTransID },
    ...{ acsTransactionId: message.acsTransID, dsTransactionId: message.dsTransID },
    ...(eci !== undefined && { eci }),
    ...(transStatusReason !== undefined && { statusReason: transStatusReason }),
    ...(challengeCancel !== undefined && { challengeCancel }),
  };
}
