import { codes } from '@sluice/result-codes';
import { type Clock, inRequest, type Logger, maskCardNumbers } from '@sluice/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, type Admitted, type Doorkeeper, pathOf } from './admission.js';
import {
  type Answer,
  type AnswerStamp,
  type Refusal,
  refusalAnswer,
  Refused,
  sendAnswer,
} from './answer.js';
import { EdgeMetrics } from './edge-metrics.js';
import type { OnRequestDone, RequestDone } from './request-log.js';
import { describeAnswer, startRequestSpan } from './request-span.js';

/** A path in a log line is cut here; ours have 45 characters. */
const LOGGED_PATH_CHARACTERS_MAX = 200;

const DEFECT: Refusal = { code: codes.undefinedError };

/** Where every request is received, answered and noted. */
export class RequestDesk {
  constructor(
    private readonly doorkeeper: Doorkeeper,
    private readonly logger: Logger,
    private readonly onRequestDone: OnRequestDone,
    private readonly clock: Clock,
    private readonly trustsTraceparent = false,
    private readonly metrics = new EdgeMetrics(),
  ) {}

  /** Admits a request, lets `work` answer it, and sends whatever came of that. */
  async serve(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (admitted: Admitted) => Promise<Answer>,
  ): Promise<void> {
    const admission = this.doorkeeper.admit(request);
    const span = startRequestSpan(request, this.trustsTraceparent);
    const { stamp } = admission.kind === 'refused' ? admission : admission.admitted;
    this.metrics.began();
    await inRequest(span, { ndc: stamp.ndc }, () =>
      this.#serve(request, reply, admission, work),
    ).finally(() => {
      this.metrics.ended();
      this.doorkeeper.left(request);
    });
    span.end();
  }

  async #serve(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission,
    work: (admitted: Admitted) => Promise<Answer>,
  ): Promise<void> {
    if (admission.kind === 'refused') {
      this.#sendRefusal(request, reply, admission.refusal, admission.stamp);
      return;
    }
    const { admitted } = admission;
    let answer: Answer;
    try {
      answer = await work(admitted);
    } catch (error) {
      const refusal = this.#refusalOf(error, admitted.stamp.ndc);
      this.#sendRefusal(request, reply, refusal, admitted.stamp);
      return;
    }
    this.send(request, reply, answer);
  }

  /** The fields that every answer has, for one that needs no access. */
  stamp(): AnswerStamp {
    return this.doorkeeper.stamp(this.clock.now());
  }

  /** Answers a request that nobody admitted: unknown path, broken HTTP, a defect on the way. */
  refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
    this.#sendRefusal(request, reply, refusal, this.stamp());
  }

  #sendRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    stamp: AnswerStamp,
  ): void {
    this.metrics.refused(refusal);
    this.send(request, reply, refusalAnswer(refusal, stamp));
  }

  /** Sends an answer and notes the request. */
  send(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
    sendAnswer(reply, answer);
    describeAnswer(request, answer);
    const done = {
      method: request.method,
      path: loggedPath(request.url),
      status: answer.status,
      resultCode: answer.resultCode,
      durationMs: Math.round(reply.elapsedTime * 100) / 100,
      ndc: answer.ndc,
      ...(answer.transactionId !== undefined && { transactionId: answer.transactionId }),
    };
    this.note(done, request.routeOptions.url);
  }

  /** One line per request (S-LOG-02); also for those that never became one, see the listener. */
  note(done: RequestDone, route?: string): void {
    this.logger.info(done, 'request');
    this.metrics.answered(done, route);
    this.onRequestDone(done);
  }

  /** What a failure is answered with; a defect is logged, with nothing of the request. */
  #refusalOf(error: unknown, ndc: string): Refusal {
    if (error instanceof Refused) {
      return error.refusal;
    }
    this.logger.error({ err: error, ndc }, 'A request failed by a defect.');
    return DEFECT;
  }
}

/** The path alone: queries hold credentials, and anything may stand in a mistyped path. */
export function loggedPath(url: string): string {
  // Masked before it is cut: half a number is not recognised as one.
  return maskCardNumbers(pathOf(url)).slice(0, LOGGED_PATH_CHARACTERS_MAX);
}
