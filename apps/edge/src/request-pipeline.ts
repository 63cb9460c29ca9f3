import type { AnswerStamp } from '@sluice/answers';
import { ndcOfEntity } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import { type Clock, inRequest, type Logger, maskAccountNumbers } from '@sluice/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccessGuard,
  type AdmittedRequest,
  type GuardResult,
  pathOf,
  type ShopperRequest,
} from './access-guard.js';
import { type Answer, type Refusal, refusalAnswer, Refused, sendAnswer } from './answer.js';
import { isNavigation, type Sent, sendToBrowser } from './browser-answers.js';
import type { EdgeMetrics } from './edge-metrics.js';
import type { OnRequestDone, RequestDone } from './request-log.js';
import { isSentByPages } from './route-access.js';
import { describeAnswer, startRequestSpan } from './request-span.js';

/** A path in a log line is cut at this length; existing ones have 45 characters. */
const LOGGED_PATH_CHARACTERS_MAX = 200;

/** A request that is refused, and what a page of it is made of. */
interface RefusedRequest {
  readonly refusal: Refusal;
  readonly stamp: AnswerStamp;
  readonly sent?: Sent;
}

const DEFECT: Refusal = { code: codes.undefinedError };

/** What every request passes through. */
export interface RequestPipelineParts {
  readonly accessGuard: AccessGuard;
  readonly logger: Logger;
  readonly onRequestDone: OnRequestDone;
  readonly machine: Clock;
  readonly metrics: EdgeMetrics;
  /** Whether a caller's own trace is continued; otherwise it is linked to. */
  readonly trustsTraceparent: boolean;
}

/**
 * The steps of every request: access, the operation's work, the answer, and one line in the log.
 */
export class RequestPipeline {
  constructor(private readonly parts: RequestPipelineParts) {}

  /** Admits a request, has `work` answer it, and sends the answer. */
  async serve(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (admitted: AdmittedRequest) => Promise<Answer>,
  ): Promise<void> {
    await this.#serveIn(request, reply, this.parts.accessGuard.admit(request), work);
  }

  /** The same for a form of a shopper's browser. */
  async serveShopper(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (asked: ShopperRequest) => Promise<Answer>,
  ): Promise<void> {
    await this.#serveIn(request, reply, this.parts.accessGuard.admitShopper(request), work);
  }

  async #serveIn<Admitted extends ShopperRequest>(
    request: FastifyRequest,
    reply: FastifyReply,
    result: GuardResult<Admitted>,
    work: (admitted: Admitted) => Promise<Answer>,
  ): Promise<void> {
    const { accessGuard, metrics, trustsTraceparent } = this.parts;
    const span = startRequestSpan(request, trustsTraceparent);
    const { stamp } = result.kind === 'refused' ? result : result.admitted;
    metrics.began();
    await inRequest(span, { ndc: stamp.ndc }, () =>
      this.#serve(request, reply, result, work),
    ).finally(() => {
      metrics.ended();
      accessGuard.left(request);
    });
    span.end();
  }

  async #serve<Admitted extends ShopperRequest>(
    request: FastifyRequest,
    reply: FastifyReply,
    result: GuardResult<Admitted>,
    work: (admitted: Admitted) => Promise<Answer>,
  ): Promise<void> {
    if (result.kind === 'refused') {
      this.#sendRefusal(request, reply, result);
      return;
    }
    const { admitted } = result;
    let answer: Answer;
    try {
      answer = await work(admitted);
    } catch (error) {
      const refusal = this.#refusalOf(error, admitted.stamp.ndc);
      const stamp = this.#stampOf(error, admitted);
      const backUrl = error instanceof Refused ? error.backUrl : undefined;
      const sent = { form: admitted.form, backUrl };
      this.#sendRefusal(request, reply, { refusal, stamp, sent });
      return;
    }
    this.send(request, reply, answer);
  }

  /** The fields that every answer has, for one that needs no access. */
  stamp(): AnswerStamp {
    return this.parts.accessGuard.stamp(this.parts.machine.now());
  }

  /** Answers a request that nobody admitted: unknown path, broken HTTP, a defect on the way. */
  refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
    this.#sendRefusal(request, reply, { refusal, stamp: this.stamp() });
  }

  #sendRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
    { refusal, stamp, sent }: RefusedRequest,
  ): void {
    this.parts.metrics.refused(refusal);
    this.send(request, reply, refusalAnswer(refusal, stamp), sent);
  }

  /** Sends an answer and notes the request. */
  send(request: FastifyRequest, reply: FastifyReply, answer: Answer, sent?: Sent): void {
    if (isSentByPages(request) && isNavigation(request)) sendToBrowser(reply, answer, sent);
    else sendAnswer(reply, answer);
    describeAnswer(request, answer);
    const done = {
      method: request.method,
      path: loggedPath(request.url),
      status: reply.statusCode,
      resultCode: answer.resultCode,
      durationMs: Math.round(reply.elapsedTime * 100) / 100,
      ndc: answer.ndc,
      ...(answer.transactionId !== undefined && { transactionId: answer.transactionId }),
    };
    this.note(done, request.routeOptions.url);
  }

  /** A request of another route is answered: its body takes no more memory. */
  left(request: FastifyRequest): void {
    this.parts.accessGuard.left(request);
  }

  /** One line per request (S-LOG-02); also for those that never became one, see the listener. */
  note(done: RequestDone, route?: string): void {
    this.parts.logger.info(done, 'request');
    this.parts.metrics.answered(done, route);
    this.parts.onRequestDone(done);
  }

  /** A shopper's request names its entity once its checkout is known; the log finds both. */
  #stampOf(error: unknown, admitted: ShopperRequest): AnswerStamp {
    const { stamp } = admitted;
    if (!(error instanceof Refused) || error.entityId === undefined) return stamp;
    const { entityId } = error;
    const dated = 'access' in admitted ? stamp : this.parts.accessGuard.stampOf(admitted, entityId);
    return { ...dated, ndc: ndcOfEntity(stamp.ndc, entityId) };
  }

  /** What a failure is answered with; a defect is logged, with nothing of the request. */
  #refusalOf(error: unknown, ndc: string): Refusal {
    if (error instanceof Refused) {
      return error.refusal;
    }
    this.parts.logger.error({ err: error, ndc }, 'A request failed by a defect.');
    return DEFECT;
  }
}

/** Only the path: queries hold credentials, and a mistyped path may contain anything. */
export function loggedPath(url: string): string {
  // Masked before it is cut: half a number is not recognised as one.
  return maskAccountNumbers(pathOf(url)).slice(0, LOGGED_PATH_CHARACTERS_MAX);
}
