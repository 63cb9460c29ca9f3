import { randomUUID } from 'node:crypto';
import { isInfrastructure, openPersonal, unwrapPersonalKey } from '@sluice/aggregates';
import type { AuthenticationVault } from '@sluice/contracts';
import {
  type Authentication,
  type AuthenticationCommand,
  type AuthenticationTerms,
  checkMessage,
  type ErroMessage,
  erroAbout,
  type Message,
  messageCharactersMax,
  type MessageOf,
  parseMessage,
  type RecordResponse,
  tryMessage,
} from '@sluice/domain-three-d-secure';
import type { EventStore } from '@sluice/event-store';
import { newMessageId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import type { Clock, KeyProvider, Logger } from '@sluice/service';
import type { RiskMetrics } from '../risk-metrics.js';
import type {
  AuthenticationStream,
  AuthenticationStreams,
  AuthenticationWriter,
} from './authentication-aggregate.js';
import { isBrowserAddress } from './browser-addresses.js';
import type { DirectoryErrors } from './directory-errors.js';
import {
  ANSWER_WITHIN_MS,
  type DirectoryServer,
  type DirectoryServers,
} from './directory-servers.js';
import type { IssuerWords } from './issuer-words.js';

/** For what is done between the event and the request: the vault is asked for the number. */
const BEFORE_REQUEST_MS = 5_000;

/** The parts they are made of. */
export interface DirectoryRequestsParts {
  readonly store: Pick<EventStore, 'personalKeys'>;
  readonly streams: AuthenticationStreams;
  readonly writer: AuthenticationWriter;
  readonly servers: Pick<DirectoryServers, 'authenticate' | 'of'>;
  readonly errors: Pick<DirectoryErrors, 'tell'>;
  readonly vault: Pick<AuthenticationVault, 'holdProof' | 'revealNumber'>;
  readonly keys: KeyProvider;
  readonly words: Pick<IssuerWords, 'seal'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Pick<RiskMetrics, 'directoryAsked'>;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Where directory servers reach us with results by now. */
  readonly resultsUrl: () => string | undefined;
}

type Failure = Extract<AuthenticationCommand, { type: 'RecordFailure' }>['failure'];
type Answered = Omit<RecordResponse, 'nowMs' | 'serverTransactionId' | 'type'>;

/**
 * Asks directory servers for authentications (AReq, ARes). That somebody asks is recorded before, so two
 * processes do not; and what was asked by a process that has ended is asked once more, under another id.
 */
export class DirectoryRequests {
  /** Under way here, by authentication. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(private readonly parts: DirectoryRequestsParts) {}

  /** Asks if nobody has, and waits for what is under way here. The caller holds the stream. */
  send(stream: AuthenticationStream): Promise<void> {
    const known = this.#underWay.get(stream.id);
    if (known !== undefined) return known;
    const { streams } = this.parts;
    // Held for itself: whoever waits may have gone before the answer is there.
    const held = streams.hold(stream.id);
    const sent = this.#send(held).finally(() => {
      this.#underWay.delete(stream.id);
      streams.release(held);
    });
    this.#underWay.set(stream.id, sent);
    return sent;
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  async #send(stream: AuthenticationStream): Promise<void> {
    const { streams, writer, clock } = this.parts;
    const next = randomUUID();
    const isOurs = await streams.inTurn(stream, async () => {
      const result = await writer.accept(stream, () =>
        Promise.resolve({
          kind: 'command' as const,
          command: {
            ...({ type: 'SendRequest', nowMs: clock.now() } as const),
            nextServerTransactionId: next,
            answerWithinMs: ANSWER_WITHIN_MS + BEFORE_REQUEST_MS,
          },
          // The one of its own was claimed at the beginning.
          claims: { commandId: newMessageId(clock.now()), transactionIds: [transactionOf(next)] },
        }),
      );
      return result.kind === 'recorded';
    });
    const { state } = stream;
    if (!isOurs || state === undefined) return;
    const { serverTransactionId } = state;
    const answered = await this.#ask(stream, state);
    const told = { nowMs: clock.now(), serverTransactionId };
    await streams.inTurn(stream, () =>
      typeof answered === 'string'
        ? writer.record(stream, { type: 'RecordFailure', ...told, failure: answered })
        : this.#recordResponse(stream, { type: 'RecordResponse', ...told, ...answered }),
    );
  }

  /** The answer counts, whether a later payment finds it or not. */
  async #recordResponse(stream: AuthenticationStream, command: RecordResponse): Promise<boolean> {
    return (
      (await this.#recordToBeFound(stream, command)) || this.parts.writer.record(stream, command)
    );
  }

  /**
   * Found by the directory server's id from then on, by which a payment that comes later names it. False where
   * that could not be claimed: the id is taken, since some directory server has given it twice, and finds the first
   * one; or the database was away for too long.
   */
  async #recordToBeFound(stream: AuthenticationStream, command: RecordResponse): Promise<boolean> {
    const { writer, clock } = this.parts;
    const transactionIds = [transactionOf(command.dsTransactionId)];
    const claims = { commandId: newMessageId(clock.now()), transactionIds };
    const proposal = { kind: 'command', command, claims } as const;
    try {
      const { kind } = await writer.accept(stream, () => Promise.resolve(proposal));
      return kind === 'recorded';
    } catch (error) {
      if (isInfrastructure(error)) return false;
      throw error;
    }
  }

  async #ask(stream: AuthenticationStream, state: Authentication): Promise<Answered | Failure> {
    const { servers, vault, logger, metrics } = this.parts;
    const { network, isLive, vaultReference } = state.terms;
    const server = servers.of(network, isLive);
    const elements = await this.#elements(stream.id, state);
    const number = await vault.revealNumber(vaultReference);
    // Without card or shopper's data, as after a crash of the vault, there is nothing to ask about.
    if (server === undefined || elements === undefined || number === undefined) return 'abandoned';
    const request = this.#request(state, elements, number);
    if (request === undefined) return 'notBuilt';
    const result = await servers.authenticate(server, JSON.stringify(request));
    if (result.kind !== 'answered') {
      // It has answered, with what nobody reads to its end.
      const isTooLong = result.reason === 'answerTooLong';
      metrics.directoryAsked(network, isTooLong ? 'refused' : 'notReached');
      logger.warn({ network, reason: result.reason }, 'A directory server did not answer.');
      if (isTooLong) this.#refuse(server, state, erroAbout({}, TOO_LONG));
      return isTooLong ? 'malformedAnswer' : 'directoryUnreachable';
    }
    const { acctNumber: _, ...withoutNumber } = request;
    const read = await this.#read(server, state, withoutNumber, result.body);
    metrics.directoryAsked(network, read === 'malformedAnswer' ? 'refused' : 'answered');
    return read;
  }

  /**
   * Undefined for what a directory server would refuse. What others have sent wrongly is found before it
   * begins, so this is a defect of ours, and nobody may pay because of it.
   */
  #request(
    { terms, serverTransactionId, methodCompletion }: Authentication,
    elements: Message,
    number: Detail,
  ): MessageOf<'AReq'> | undefined {
    const tried = tryMessage('AReq', terms.version, {
      ...elements,
      ...this.#resultsAddress(elements),
      ...{ threeDSServerTransID: serverTransactionId, acctNumber: number.reveal() },
      ...(terms.channel === '02' && { threeDSCompInd: methodCompletion }),
    });
    if ('message' in tried) return tried.message;
    const { network, version } = terms;
    const fields = { network, version, fault: tried.fault };
    this.parts.logger.error(fields, 'A request for an authentication could not be built.');
    return undefined;
  }

  /** A shopper may come long after it has begun, when results go elsewhere: there nobody would hear of his yes. */
  #resultsAddress({ threeDSServerURL: told }: Message): Message {
    const resultsUrl = this.parts.resultsUrl();
    return told === undefined || resultsUrl === undefined ? {} : { threeDSServerURL: resultsUrl };
  }

  /** ARes, checked; its cryptogram goes to the vault before anything of it is recorded. */
  async #read(
    server: DirectoryServer,
    state: Authentication,
    request: Message,
    body: string,
  ): Promise<Answered | Failure> {
    const { logger, vault, words } = this.parts;
    const { terms, serverTransactionId } = state;
    const { network, version, isLive, authenticationId } = terms;
    const parsed = parseMessage(body, messageCharactersMax.ARes);
    const checked =
      'value' in parsed
        ? checkMessage(parsed.value, {
            ...({ type: 'ARes', version, request } as const),
            ids: { threeDSServerTransID: serverTransactionId, ...sdkIdIn(terms) },
          })
        : parsed;
    if (!('message' in checked)) {
      if ('erro' in checked) return this.#refuse(server, state, checked.erro);
      const { errorCode, errorDetail } = checked.received;
      const fields = { network, errorCode, errorDetail };
      logger.warn(fields, 'A directory server answered with an error.');
      return 'malformedAnswer';
    }
    const { message } = checked;
    const { transStatus, acsURL, authenticationValue } = message;
    if (!isStatus(transStatus)) return 'malformedAnswer';
    // It is for the shopper's browser alone, and may be no script nor a file.
    if (acsURL !== undefined && !isBrowserAddress(acsURL, isLive)) {
      return this.#refuse(server, state, erroAbout(message, NO_ADDRESS));
    }
    if (await this.#isForged(terms, request, message)) return 'malformedAnswer';
    const proofReference =
      authenticationValue === undefined
        ? undefined
        : await vault.holdProof(new Detail(authenticationValue));
    const said = cardholderInfoIn(message);
    const cardholderInfo = said && (await words.seal(authenticationId, said));
    return {
      ...{ status: transStatus, dsTransactionId: message.dsTransID },
      acsTransactionId: message.acsTransID,
      ...(message.eci !== undefined && { eci: message.eci }),
      ...(message.transStatusReason !== undefined && { statusReason: message.transStatusReason }),
      ...(proofReference !== undefined && { proofReference }),
      ...(acsURL !== undefined && { acsUrl: acsURL }),
      ...(message.acsSignedContent !== undefined && {
        ...{ acsSignedContent: message.acsSignedContent },
        acsReferenceNumber: message.acsReferenceNumber,
      }),
      ...(message.acsRenderingType !== undefined && {
        acsRenderingType: message.acsRenderingType,
      }),
      ...(cardholderInfo !== undefined && { cardholderInfo }),
    };
  }

  /** The directory server is told what is wrong with its answer; nobody waits for that. */
  #refuse(
    server: DirectoryServer,
    { terms, serverTransactionId }: Authentication,
    erro: ErroMessage,
  ): 'malformedAnswer' {
    const { errorCode, errorDetail } = erro;
    const fields = { network: server.network, errorCode, errorDetail };
    this.parts.logger.warn(fields, 'A directory server sent a wrong answer.');
    const asked = {
      ...{ messageVersion: terms.version, threeDSServerTransID: serverTransactionId },
    };
    this.parts.errors.tell(server, erro, asked);
    return 'malformedAnswer';
  }

  /** What an app would be told, checked where the network's authorities are known. */
  async #isForged(
    { network, isLive }: AuthenticationTerms,
    request: Message,
    { acsSignedContent }: MessageOf<'ARes'>,
  ): Promise<boolean> {
    const { servers, clock, logger } = this.parts;
    const authorities = servers.of(network, isLive)?.contentAuthorities;
    if (authorities === undefined || acsSignedContent === undefined) return false;
    const expected = { sdkKey: request['sdkEphemPubKey'], now: new Date(clock.now()) };
    const fault = await authorities.faultIn(acsSignedContent, expected);
    if (fault === undefined) return false;
    logger.warn({ network, fault }, 'What an issuer tells an app is not passed on.');
    return true;
  }

  /** What the issuer is told; undefined once it was erased. */
  async #elements(id: string, { personal }: Authentication): Promise<Message | undefined> {
    if (personal === undefined) return undefined;
    const { store, keys } = this.parts;
    const wrapped = await store.personalKeys.of(id);
    if (wrapped === undefined || wrapped === 'erased') return undefined;
    const { request } = openPersonal(await unwrapPersonalKey(keys, id, wrapped), id, personal);
    return request === undefined ? undefined : (JSON.parse(request) as Message);
  }
}

const TOO_LONG = { code: '101', detail: 'the message is too long' } as const;
const NO_ADDRESS = { code: '203', detail: 'acsURL' } as const;
const statuses = ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'] as const;

/** Whether a text is a status of EMV 3-D Secure. */
export function isStatus(text: string | undefined): text is (typeof statuses)[number] {
  return statuses.some((status) => status === text);
}

/** The id of it in the shopper's app, where there is one: an answer with another one is of another. */
export function sdkIdIn({ sdkTransactionId }: AuthenticationTerms): { sdkTransID?: string } {
  return sdkTransactionId === undefined ? {} : { sdkTransID: sdkTransactionId };
}

/** The id of a transaction of EMV 3-D Secure, as the index of transactions has ids: in small letters. */
export function transactionOf(emvTransactionId: string): string {
  return emvTransactionId.replaceAll('-', '').toLowerCase();
}

function cardholderInfoIn({ cardholderInfo }: MessageOf<'ARes'>): string | undefined {
  return typeof cardholderInfo === 'string' ? cardholderInfo : cardholderInfo?.text;
}
