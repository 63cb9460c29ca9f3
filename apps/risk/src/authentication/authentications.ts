import { randomUUID } from 'node:crypto';
import { setTimeout as elapsed } from 'node:timers/promises';
import { sealParameters } from '@sluice/aggregates';
import type {
  AuthenticateQuery,
  AuthenticationAnswer,
  AuthenticationQuery,
  AuthenticationStatus,
  AuthenticationVault,
  CoveredAmountAnswer,
  CoveredAmountQuery,
  MethodDoneAnswer,
  MethodDoneQuery,
  ProceedQuery,
} from '@sluice/contracts';
import {
  answerOf,
  appChallengeMs,
  type AuthenticationFailure,
  type BeginAuthentication,
  challengeOf,
  challengeWindowOf,
  channelOf,
  checkMessage,
  coverageFoundIn,
  coverageOf,
  DECOUPLED_MAX_MS,
  decodeMessage,
  decodeMethodData,
  deviceInfoIn,
  isDecoupled,
  isSameId,
  messageCharactersMax,
  networkOfBrand,
  type ParticipatingRange,
  requestContent,
  sdkTransactionId,
  shortCoverageOf,
  verdictOf,
  versionFor,
  versionOfApp,
  versionOfPurpose,
} from '@sluice/domain-three-d-secure';
import type { EventStore } from '@sluice/event-store';
import { newMessageId, type TransactionId } from '@sluice/identifiers';
import { type Amount, formatAmount } from '@sluice/money';
import type { Clock, KeyProvider } from '@sluice/service';
import type {
  AuthenticationStream,
  AuthenticationStreams,
  AuthenticationWriter,
} from './authentication-aggregate.js';
import { isBrowserAddress } from './browser-addresses.js';
import type { CardRanges } from './card-ranges.js';
import { type DirectoryRequests, transactionOf } from './directory-requests.js';
import type { DirectoryServer, DirectoryServers } from './directory-servers.js';

/**
 * How long payments waits for an issuer: less than a try of a query takes (2 s). What comes later is found when
 * the browser comes, or by recovery.
 */
const SETTLED_WITHIN_MS = 1_700;

/** The parts they are made of. */
export interface AuthenticationsParts {
  readonly store: Pick<EventStore, 'personalKeys' | 'readByTransaction'>;
  readonly streams: AuthenticationStreams;
  readonly writer: AuthenticationWriter;
  readonly servers: Pick<DirectoryServers, 'of'>;
  readonly ranges: Pick<CardRanges, 'of'>;
  readonly requests: Pick<DirectoryRequests, 'send'>;
  readonly vault: Pick<AuthenticationVault, 'revealNumber'>;
  readonly keys: KeyProvider;
  readonly clock: Pick<Clock, 'now'>;
  /** Where directory servers reach us with results; absent: nobody can be challenged. */
  readonly resultsUrl: () => string | undefined;
}

/** Authentications of shoppers, as payments asks for them (Interface 2.17). */
export class Authentications {
  constructor(private readonly parts: AuthenticationsParts) {}

  /** Begins one; asked again, tells how it stands. */
  authenticate(query: AuthenticateQuery): Promise<AuthenticationAnswer> {
    return this.#with(query.authenticationId, async (stream) => {
      const known = await this.#loaded(stream);
      const answer = known ? undefined : await this.#begin(stream, query);
      if (answer !== undefined) return answer;
      if (isToBeAsked(stream)) await this.#settle(stream);
      return answerOf(stream.state);
    });
  }

  /** How it stands. */
  authentication({ authenticationId }: AuthenticationQuery): Promise<AuthenticationAnswer> {
    return this.#with(authenticationId, async (stream) => {
      await this.#reload(stream);
      return answerOf(stream.state);
    });
  }

  /** What one has found out and covers that a later payment comes with, by the directory server's id of it. */
  async coveredAmount({
    entityId,
    dsTransactionId,
  }: CoveredAmountQuery): Promise<CoveredAmountAnswer> {
    const found = await this.parts.store.readByTransaction(transactionOf(dsTransactionId));
    if (found === undefined) return {};
    return this.#with(found.streamId as TransactionId, async (stream) => {
      await this.#reload(stream);
      const { state } = stream;
      const isOfChannel = state?.terms.entityId === entityId;
      const isNamed = isSameId(dsTransactionId, state?.response?.dsTransactionId);
      return isOfChannel && isNamed ? coverageFoundIn(state) : {};
    });
  }

  /** The browser is there: what it was sent for is done, or it goes on to the issuer. */
  proceed(query: ProceedQuery): Promise<AuthenticationAnswer> {
    const { authenticationId, step, challengeResponse } = query;
    return this.#with(authenticationId, async (stream) => {
      await this.#reload(stream);
      if (isToBePrepared(stream, query)) return answerOf(stream.state);
      if (step === 'returned') await this.#returned(stream, challengeResponse);
      const phase = stream.state?.phase;
      if (phase === 'begun' || phase === 'requested') await this.#settle(stream);
      const challenge = step === 'arrived' ? challengeOf(stream.state) : undefined;
      return challenge ?? waitingUnlessEnded(stream);
    });
  }

  /**
   * The browser has run the page of the 3DS method, if it says so of a transaction of this authentication, or
   * of a later one of the same payment: they have one address.
   */
  async methodDone({ authenticationId, methodData }: MethodDoneQuery): Promise<MethodDoneAnswer> {
    const serverTransactionId = decodeMethodData(methodData);
    const named =
      serverTransactionId === undefined
        ? undefined
        : await this.parts.store.readByTransaction(transactionOf(serverTransactionId));
    const id = (named?.streamId ?? authenticationId) as TransactionId;
    return this.#with(id, async (stream) => {
      const { streams, writer, clock } = this.parts;
      return streams.inTurn(stream, async () => {
        await writer.reload(stream);
        const { state } = stream;
        const isOfAddress = id === authenticationId || state?.terms.paymentId === authenticationId;
        if (state === undefined || !isOfAddress) return { kind: 'notFound' };
        const nowMs = clock.now();
        if (serverTransactionId !== undefined) {
          await writer.record(stream, { type: 'RecordMethodDone', nowMs, serverTransactionId });
        }
        return { kind: 'noted' };
      });
    });
  }

  /** An answer that ends it before anything was asked; undefined where it is recorded that it begins. */
  async #begin(
    stream: AuthenticationStream,
    query: AuthenticateQuery,
  ): Promise<AuthenticationAnswer | undefined> {
    const { servers, ranges, vault } = this.parts;
    const { goesOnWith } = query.settings;
    const short = query.isOfRule === true ? shortCoverageOf(query) : undefined;
    if (short !== undefined) return tooShort(short);
    const isLive = query.mode === 'LIVE';
    const network = networkOfBrand(query.brand);
    if (network === undefined) return notAsked('notParticipating', goesOnWith);
    const server = servers.of(network, isLive);
    const resultsUrl = this.parts.resultsUrl();
    if (server === undefined || resultsUrl === undefined) {
      return refused(`no directory server of ${query.brand} is configured`);
    }
    const number = await vault.revealNumber(query.vaultReference);
    if (number === undefined) return refused('the card is not held any more');
    const index = ranges.of(network, isLive);
    const found = index?.find(number.reveal());
    const range = isWished(query) && !takesPart(found) ? ANY_CARD : found;
    if (index === undefined) return notAsked('directoryUnreachable', goesOnWith);
    if (range === undefined) return notAsked('notEnrolled', goesOnWith);
    const channel = channelOf(query.parameters);
    const app = channel === '01' ? deviceInfoIn(query.parameters) : undefined;
    if (channel === '01' && app === undefined) return refused('what its app said cannot be read');
    const versions = app === undefined ? range.versions : versionOfApp(app, range.versions);
    const version = versionFor({ ...range, versions }, versionOfPurpose(query.parameters));
    if (version === undefined) return notAsked('notParticipating', goesOnWith);
    if (channel === '03' && version === '2.1.0') return notAsked('notParticipating', goesOnWith);
    const told = { query, network, version, channel, nowMs: this.parts.clock.now() };
    const numberDigits = number.reveal().length;
    const content = requestContent({ ...told, numberDigits, server: { ...server, resultsUrl } });
    if ('reason' in content) return { kind: 'refused', ...content };
    const ofApp = app && {
      ...{ sdkTransactionId: sdkTransactionId(app), appChallengeMs: appChallengeMs(app) },
    };
    const terms = { ...termsOf(query, server, range), ...ofApp, version, channel };
    const begun = { terms, coverage: coverageOf(query) };
    await this.#recordBegun(stream, JSON.stringify(content.elements), begun);
    return undefined;
  }

  async #recordBegun(
    stream: AuthenticationStream,
    request: string,
    begun: Pick<BeginAuthentication, 'terms' | 'coverage'>,
  ): Promise<void> {
    const { terms } = begun;
    const { streams, writer, clock, keys, store } = this.parts;
    const sealing = { keys, personalKeys: store.personalKeys };
    await streams.inTurn(stream, () =>
      writer.accept(stream, async () => {
        const transaction = { transactionId: stream.id, personal: { request } };
        const { personal, personalKey } = await sealParameters(stream, transaction, sealing);
        const nowMs = clock.now();
        return {
          kind: 'command',
          command: {
            ...({ type: 'BeginAuthentication', nowMs, ...begun } as const),
            ...(personal !== undefined && { personal }),
          },
          claims: {
            commandId: newMessageId(nowMs),
            // By which results of the issuer are found.
            transactionIds: [transactionOf(terms.serverTransactionId)],
            // By which the payment's shopper is forgotten.
            lookupText: terms.paymentId,
            ...(personalKey && { personalKey }),
          },
        };
      }),
    );
  }

  /** What CRes says counts for nothing; that it is of this transaction says that somebody has come back. */
  async #returned(stream: AuthenticationStream, challengeResponse?: string): Promise<void> {
    const { streams, writer, clock } = this.parts;
    const { state } = stream;
    if (state?.phase !== 'challenged' || challengeResponse === undefined) return;
    const parsed = decodeMessage(challengeResponse, messageCharactersMax.CRes);
    if (!('value' in parsed)) return;
    const { version } = state.terms;
    const checked = checkMessage(parsed.value, { type: 'CRes', version, channel: '02' });
    if (!('message' in checked)) return;
    const { threeDSServerTransID: serverTransactionId, acsTransID } = checked.message;
    const told = { nowMs: clock.now(), serverTransactionId, acsTransactionId: acsTransID };
    await streams.inTurn(stream, () => writer.record(stream, { type: 'RecordReturn', ...told }));
  }

  /** Asks the issuer, and waits for a moment. */
  async #settle(stream: AuthenticationStream): Promise<void> {
    const asked = this.parts.requests.send(stream);
    // Whoever is gone by then leaves nobody to tell: the sweeper sees to what has failed.
    asked.catch(() => undefined);
    await Promise.race([asked, elapsed(SETTLED_WITHIN_MS, undefined, { ref: false })]);
  }

  async #loaded(stream: AuthenticationStream): Promise<boolean> {
    const { streams, writer } = this.parts;
    await streams.inTurn(stream, () => writer.ensureLoaded(stream));
    return stream.state !== undefined;
  }

  async #reload(stream: AuthenticationStream): Promise<void> {
    const { streams, writer } = this.parts;
    await streams.inTurn(stream, () => writer.reload(stream));
  }

  async #with<Answer>(
    id: TransactionId,
    work: (stream: AuthenticationStream) => Promise<Answer>,
  ): Promise<Answer> {
    const { streams } = this.parts;
    const stream = streams.hold(id);
    try {
      return await work(stream);
    } finally {
      streams.release(stream);
    }
  }
}

/** In test mode a merchant may want a card to take part that does not. */
const ANY_CARD: ParticipatingRange = { start: '', end: '', versions: ['2.2.0'] };

function takesPart(range: ParticipatingRange | undefined): boolean {
  return range !== undefined && versionFor(range) !== undefined;
}

function isWished({ mode, parameters }: AuthenticateQuery): boolean {
  return mode !== 'LIVE' && parameters['customParameters[3DS2_enrolled]'] === 'true';
}

function termsOf(
  query: AuthenticateQuery,
  { network, isLive }: DirectoryServer,
  { methodUrl }: ParticipatingRange,
): Omit<BeginAuthentication['terms'], 'channel' | 'version'> {
  const { authenticationId, paymentId, entityId, vaultReference, settings, redirectUrl } = query;
  const challengeWindow = challengeWindowOf(query.parameters);
  const isOffered =
    methodUrl !== undefined &&
    redirectUrl !== undefined &&
    channelOf(query.parameters) === '02' &&
    isBrowserAddress(methodUrl, isLive);
  return {
    ...{ authenticationId, paymentId, entityId, isLive, network, vaultReference },
    category: query.category === 'payment' ? '01' : '02',
    ...{ goesOnWith: settings.goesOnWith, serverTransactionId: randomUUID() },
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(isOffered && { methodUrl }),
    ...(isDecoupled({ query, version: '2.2.0' }) && { decoupledMs: DECOUPLED_MAX_MS }),
    ...(challengeWindow !== undefined && { challengeWindow }),
  };
}

/** With a 3DS method, the browser has to come first. */
function isToBeAsked({ state }: AuthenticationStream): boolean {
  if (state === undefined) return false;
  const { phase, terms } = state;
  return phase === 'requested' || (phase === 'begun' && terms.methodUrl === undefined);
}

/** A merchant's page need not have loaded the page of the 3DS method; then ours does, and comes again. */
function isToBePrepared(
  { state }: AuthenticationStream,
  { step, isPrepared }: ProceedQuery,
): boolean {
  if (step !== 'arrived' || isPrepared === true || state?.phase !== 'begun') return false;
  return state.terms.methodUrl !== undefined && !state.isMethodDone;
}

/** Where the browser is already, it is not sent again. */
function waitingUnlessEnded({ state }: AuthenticationStream): AuthenticationAnswer {
  const answer = answerOf(state);
  return answer.kind === 'redirect' ? { kind: 'waiting', expiresAtMs: answer.expiresAtMs } : answer;
}

function notAsked(
  failure: AuthenticationFailure,
  goesOnWith: readonly AuthenticationStatus[],
): AuthenticationAnswer {
  return { kind: 'completed', result: { ...verdictOf({ failure }, goesOnWith), flow: 'none' } };
}

function refused(reason: string): AuthenticationAnswer {
  return { kind: 'refused', reason };
}

function tooShort(covered: Amount): AuthenticationAnswer {
  const words = `${formatAmount(covered)} ${covered.currency}, and not what is paid`;
  const reason = `nobody is authenticated by 3-D Secure for the payment (it would cover ${words})`;
  return { kind: 'refused', reason, isShort: true };
}
