import { type AnswerStamp, timestampOf } from '@sluice/answers';
import type { IncomingMessage } from 'node:http';
import type { Mode } from '@sluice/contracts';
import { newNdc } from '@sluice/identifiers';
import { type Form, translated } from '@sluice/parameters';
import { codes, describeResult } from '@sluice/result-codes';
import type { Clock, EntityClock, GatewayEnvironment } from '@sluice/service';
import type { FastifyRequest } from 'fastify';
import {
  type AccessIndex,
  type AllowedAccess,
  channelAccess,
  knowsCredential,
  resolveAccess,
} from './access.js';
import type { LiveDirectory } from './access-directory.js';
import { type Answer, Refused, type Refusal } from './answer.js';
import { countedAddress } from './client-address.js';
import {
  type HashedCredential,
  headerCredential,
  legacyCandidates,
  legacyCredential,
} from './credentials.js';
import type { RefusalLimit } from './refusal-limit.js';
import { NO_PAYMENT_SESSION } from './refusals.js';
import { hasBody, type RequestBodies } from './request-bodies.js';
import { OTHER_MEDIA_TYPE, queryForm, type RequestForm, requestForm } from './request-form.js';
import { readsStatus } from './route-access.js';
import type { ThrottledIds } from './throttled-ids.js';
import { type Throttles, workOf } from './throttles.js';

/** A request that passed access, throttle and the form parser. */
export interface AdmittedRequest {
  readonly access: AllowedAccess;
  readonly index: AccessIndex;
  readonly form: Form;
  readonly mode: Mode;
  /** Milliseconds since the epoch, by the clock of its channel (page 0078). */
  readonly receivedAtMs: number;
  readonly stamp: AnswerStamp;
  readonly method: string;
  /** Where shoppers' browsers reach this gateway, without a slash at the end. */
  readonly publicUrl: string;
  /** Each `Idempotency-Key` header separately; Node would join them into one text. */
  readonly idempotencyKeys: readonly string[] | undefined;
}

/**
 * A form of a shopper's browser: who it is about is told by what it completes. Until then it has the time of
 * the machine.
 */
export interface ShopperRequest extends Pick<
  AdmittedRequest,
  'form' | 'receivedAtMs' | 'stamp' | 'method' | 'publicUrl'
> {
  /** What the browser says of itself, where it is not too long to be told on (Interface 2.9). */
  readonly browser?: BrowserHeaders;
}

/** By wire name. */
export type BrowserHeaders = Readonly<
  Partial<Record<'customer.browser.acceptHeader' | 'customer.browser.userAgent', string>>
>;

/** In whose name a shopper completes what a merchant has begun. */
export interface BegunBy {
  readonly entityId: string;
  readonly actor: string;
  readonly mode: Mode;
}

/** Whether a request may pass: the admitted request, or the refusal. */
export type GuardResult<Admitted = AdmittedRequest> =
  | { readonly kind: 'admitted'; readonly admitted: Admitted }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly stamp: AnswerStamp };

/** Who the caller is, as far as it is known before the body. */
export type Asker =
  /** Somebody whom the directory knows. */
  | { readonly kind: 'known' }
  /** The body may say it. */
  | { readonly kind: 'inBody' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const UNAUTHENTICATED: Refusal = { code: codes.invalidAuthentication };
const FORBIDDEN = { status: 403, code: codes.invalidAuthentication } as const;
/**
 * For an address that is refused too often; no id, because nothing is known of the request
 * (Interface 7 rule 2).
 */
const REFUSED_TOO_OFTEN: Refusal = { code: codes.tooManyRequests };
/** Accounts has not answered yet: nobody can be let in, and nothing has begun (D-35). */
const NO_DIRECTORY: Refusal = { code: codes.unavailable };

/** What decides who may ask. */
export interface AccessGuardParts {
  readonly directory: LiveDirectory;
  readonly throttles: Throttles;
  readonly throttledIds: ThrottledIds;
  /** The key of the hashes by which credentials are looked up. */
  readonly credentialKey: Buffer;
  readonly environment: GatewayEnvironment;
  /** As answers name it. */
  readonly buildNumber: string;
  /** Without it, shoppers come where merchants do. */
  readonly publicUrl?: string;
  readonly machine: Clock;
  readonly clock: Pick<EntityClock, 'ofMachine'>;
  readonly bodies: RequestBodies;
  readonly refusals: RefusalLimit;
}

/** Who may ask: access first, then the form, then the throttle (S-AUT-02, R-IDEM-05). */
export class AccessGuard {
  /** Known credentials from headers. */
  readonly #credentials = new WeakMap<IncomingMessage, HashedCredential>();

  constructor(private readonly parts: AccessGuardParts) {}

  /** Who the caller is: to be called before the body is read; `admit` is called after it. */
  identify(request: FastifyRequest): Asker {
    try {
      return { kind: this.#identify(request) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const address = countedAddress(request.ip);
      const refusal = this.parts.refusals.isReached(address) ? REFUSED_TOO_OFTEN : error.refusal;
      this.#noteRefusal(request, error.refusal);
      return { kind: 'refused', refusal };
    }
  }

  /**
   * Whether a request reads the status of a checkout and names no credentials, which is heard where a
   * channel has the switch `statusWithoutAccess`; whose the checkout is, nobody knows yet.
   */
  isStatusWithoutAccess(request: FastifyRequest): boolean {
    if (!readsStatus(request) || this.parts.directory.index?.hasStatusWithoutAccess !== true) {
      return false;
    }
    if (request.headers.authorization !== undefined || hasBody(request.raw)) return false;
    return legacyCandidates(request.url, undefined, this.parts.credentialKey).length === 0;
  }

  /** The request is answered. */
  left(request: FastifyRequest): void {
    this.parts.bodies.release(request.raw);
  }

  /** The fields that every answer has; the time is the request's, by the clock of whose it is. */
  stamp(machineMs: number, entityId?: string): AnswerStamp {
    const { buildNumber } = this.parts;
    return { ndc: newNdc(entityId), timestamp: this.#timestamp(machineMs, entityId), buildNumber };
  }

  /** That of a shopper's request, once it is known whose it is. */
  stampOf({ stamp, receivedAtMs }: ShopperRequest, entityId: string): AnswerStamp {
    return { ...stamp, timestamp: this.#timestamp(receivedAtMs, entityId) };
  }

  #timestamp(machineMs: number, entityId?: string): string {
    const isKnown = entityId !== undefined;
    return timestampOf(isKnown ? this.parts.clock.ofMachine(entityId, machineMs) : machineMs);
  }

  /** Whether the body of a shopper's form may be read: not for who guesses ids of checkouts. */
  meetShopper({ ip }: FastifyRequest): Asker {
    return this.parts.refusals.isReached(countedAddress(ip))
      ? { kind: 'refused', refusal: REFUSED_TOO_OFTEN }
      : { kind: 'inBody' };
  }

  /** Answers a shopper's request; whoever guesses ids of checkouts is not listened to for a while. */
  async notingGuesses({ ip }: FastifyRequest, answer: () => Promise<Answer>): Promise<Answer> {
    try {
      return await answer();
    } catch (error) {
      const isGuess = error instanceof Refused && error.refusal === NO_PAYMENT_SESSION;
      if (isGuess) this.parts.refusals.refused(countedAddress(ip));
      throw error;
    }
  }

  /** Admits the form of a shopper, who has no access, or says why not. */
  admitShopper(request: FastifyRequest): GuardResult<ShopperRequest> {
    return this.#guarded(request, (receivedAtMs) => ({
      form: formOf(requestForm(request)),
      receivedAtMs,
      stamp: this.stamp(receivedAtMs),
      method: request.method,
      publicUrl: this.#publicUrl(request),
      browser: browserHeaders(request),
    }));
  }

  /**
   * The same as a request of the channel for which a merchant has begun it, with this form.
   * @throws Refused where the channel is no more
   */
  inNameOf({ entityId, actor, mode }: BegunBy, asked: ShopperRequest, form: Form): AdmittedRequest {
    const index = this.#index();
    const access = channelAccess(index, entityId, actor);
    if (access === undefined) throw new Refused({ code: codes.senderNotAuthorized }, entityId);
    const admitted = {
      ...{ ...asked, access, index, mode, idempotencyKeys: undefined },
      receivedAtMs: this.parts.clock.ofMachine(entityId, asked.receivedAtMs),
      stamp: this.stampOf(asked, entityId),
    };
    return { ...admitted, form: translated(form, access.compatibility) };
  }

  /** Admits a request or says why not. */
  admit(request: FastifyRequest): GuardResult {
    return this.#guarded(request, (machineMs) => this.#admit(request, machineMs));
  }

  #guarded<Admitted>(
    request: FastifyRequest,
    admit: (machineMs: number) => Admitted,
  ): GuardResult<Admitted> {
    const machineMs = this.parts.machine.now();
    try {
      return { kind: 'admitted', admitted: admit(machineMs) };
    } catch (error) {
      if (error instanceof Refused) {
        this.#noteRefusal(request, error.refusal);
        const stamp = this.stamp(machineMs, error.entityId);
        return { kind: 'refused', refusal: error.refusal, stamp };
      }
      throw error;
    }
  }

  /**
   * The bodies of an address that is often refused are not even read; valid credentials in the
   * header always pass.
   */
  #noteRefusal(request: FastifyRequest, { code }: Refusal): void {
    if (code === UNAUTHENTICATED.code) this.parts.refusals.refused(countedAddress(request.ip));
  }

  #identify(request: FastifyRequest): 'known' | 'inBody' {
    const index = this.#index();
    const header = headerCredential(request.headers.authorization, this.parts.credentialKey);
    if (header.kind === 'malformed') {
      throw new Refused(UNAUTHENTICATED);
    }
    if (header.kind === 'credential') {
      if (!knowsCredential(index, header.credential)) {
        throw new Refused(FORBIDDEN);
      }
      this.#credentials.set(request.raw, header.credential);
      return 'known';
    }
    const query = queryForm(request.url);
    if (query.kind === 'refused') {
      throw invalid(query.problems);
    }
    const credential = legacyCredential(query.form, this.parts.credentialKey);
    if (credential !== undefined && knowsCredential(index, credential)) {
      return 'known';
    }
    if (!hasBody(request.raw)) {
      throw new Refused(credential === undefined ? UNAUTHENTICATED : FORBIDDEN);
    }
    if (this.parts.refusals.isReached(countedAddress(request.ip))) {
      throw new Refused(REFUSED_TOO_OFTEN);
    }
    return 'inBody';
  }

  #index(): AccessIndex {
    const { index } = this.parts.directory;
    if (index === undefined) {
      throw new Refused(NO_DIRECTORY);
    }
    return index;
  }

  #admit(request: FastifyRequest, machineMs: number): AdmittedRequest {
    const index = this.#index();
    const inHeader = this.#credentials.get(request.raw);
    if (inHeader === undefined) {
      this.#expectLegacy(index, request);
    }
    const sent = requestForm(request);
    const credential = inHeader ?? this.#legacyCredential(sent);
    const sentForm = formOf(sent);
    const access = accessFor(index, credential, sentForm);
    const entityId = access.channel.id;
    const receivedAtMs = this.parts.clock.ofMachine(entityId, machineMs);
    if (!this.parts.throttles.admits(workOf(request.method), credential.hash, entityId)) {
      const id = this.parts.throttledIds.newId(entityId, receivedAtMs);
      throw new Refused({ code: codes.tooManyRequests, id }, entityId);
    }
    const form = translated(sentForm, access.compatibility);
    return {
      access,
      index,
      form,
      mode: this.#modeOf(form, entityId),
      receivedAtMs,
      stamp: this.stamp(machineMs, entityId),
      method: request.method,
      publicUrl: this.#publicUrl(request),
      idempotencyKeys: request.raw.headersDistinct['idempotency-key'],
    };
  }

  #publicUrl({ protocol, host }: FastifyRequest): string {
    return this.parts.publicUrl ?? `${protocol}://${host}`;
  }

  /** Looks only at the bytes: parsing a large form for an unknown caller would cost too much. */
  #expectLegacy(index: AccessIndex, { url, body, raw }: FastifyRequest): void {
    const bytes = body instanceof Buffer ? body : undefined;
    const candidates = legacyCandidates(url, bytes, this.parts.credentialKey);
    if (candidates.length === 0) {
      throw new Refused(UNAUTHENTICATED);
    }
    if (!candidates.some((credential) => knowsCredential(index, credential))) {
      throw new Refused(FORBIDDEN);
    }
    this.parts.bodies.identified(raw);
  }

  #legacyCredential(sent: RequestForm): HashedCredential {
    if (sent.kind === 'refused') {
      throw invalid(sent.problems);
    }
    const form = sent.kind === 'form' ? sent.form : sent.query;
    const credential = legacyCredential(form, this.parts.credentialKey);
    if (credential === undefined) {
      throw new Refused(UNAUTHENTICATED);
    }
    return credential;
  }

  /** D-41; an unknown value is left to the catalogue, which names the parameter. */
  #modeOf(form: Form, entityId: string): Mode {
    const testMode = form.get('testMode');
    if (this.parts.environment === 'test') {
      return testMode === 'EXTERNAL' ? 'EXTERNAL' : 'INTERNAL';
    }
    if (testMode !== undefined) {
      throw new Refused({ code: codes.testModeNotAllowed }, entityId);
    }
    return 'LIVE';
  }
}

/** The path of a request target, without its query. */
export function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

function formOf(sent: RequestForm): Form {
  switch (sent.kind) {
    case 'form':
      return sent.form;
    case 'otherMediaType':
      throw invalid([OTHER_MEDIA_TYPE]);
    case 'refused':
      throw invalid(sent.problems);
  }
}

/** D-39: no transaction can be recorded for it, because there is no channel that would have it. */
const NO_DISPATCHING = `${describeResult(codes.notConfigured)} - entityId is a merchant's, and channel dispatching is not served yet`;

function accessFor(index: AccessIndex, credential: HashedCredential, form: Form): AllowedAccess {
  const entityId = form.get('entityId');
  const legacyEntityId = form.get('authentication.entityId');
  if (entityId !== undefined && legacyEntityId !== undefined && entityId !== legacyEntityId) {
    throw invalid([{ name: 'authentication.entityId', message: 'must be equal to entityId' }]);
  }
  const access = resolveAccess(index, credential, entityId ?? legacyEntityId);
  if (access.kind === 'allowed') {
    return access;
  }
  throw new Refused({
    code: access.code,
    ...(access.reason === 'credentialUnknown' && { status: FORBIDDEN.status }),
    ...(access.reason === 'noDispatching' && { description: NO_DISPATCHING }),
    ...(access.reason === 'entityMissing' && {
      parameterErrors: [{ name: 'entityId', message: 'may not be empty' }],
    }),
  });
}

function invalid(parameterErrors: Refusal['parameterErrors'] & object): Refused {
  return new Refused({ code: codes.invalidParameter, parameterErrors });
}

/** Interface 2.9. */
const HEADER_CHARACTERS_MAX = 2048;

function browserHeaders({ headers }: FastifyRequest): BrowserHeaders {
  const { accept = '', 'user-agent': userAgent = '' } = headers;
  const isTold = (text: string) => text !== '' && text.length <= HEADER_CHARACTERS_MAX;
  return {
    ...(isTold(accept) && { 'customer.browser.acceptHeader': accept }),
    ...(isTold(userAgent) && { 'customer.browser.userAgent': userAgent }),
  };
}
