import { codes } from '@sluice/result-codes';
import { type Clock, type Logger, maskCardNumbers } from '@sluice/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Admitted, type Doorkeeper, pathOf } from './admission.js';
import {
  type Answer,
  type AnswerStamp,
  type Refusal,
  refusalAnswer,
  Refused,
  sendAnswer,
} from './answer.js';
import type { OnRequestDone, RequestDone } from './request-log.js';

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
  ) {}

  /** Admits a request, lets `work` answer it, and sends whatever came of that. */
  async serve(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (admitted: Admitted) => Promise<Answer>,
  ): Promise<void> {
    const admission = this.doorkeeper.admit(request);
    if (admission.kind === 'refused') {
      this.send(request, reply, refusalAnswer(admission.refusal, admission.stamp));
      return;
    }
    const { admitted } = admission;
    let answer: Answer;
    try {
      answer = await work(admitted);
    } catch (error) {
      answer = refusalAnswer(this.#refusalOf(error, admitted.stamp.ndc), admitted.stamp);
    }
    this.send(request, reply, answer);
  }

  /** The fields that every answer has, for one that needs no access. */
  stamp(): AnswerStamp {
    return this.doorkeeper.stamp(this.clock.now());
  }

  /** Answers a request that nobody admitted: unknown path, broken HTTP, a defect on the way. */
  refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
    this.send(request, reply, refusalAnswer(refusal, this.stamp()));
  }

  /** Sends an answer and notes the request. */
  send(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
    sendAnswer(reply, answer);
    this.note({
      method: request.method,
      path: loggedPath(request.url),
      status: answer.status,
      resultCode: answer.resultCode,
      durationMs: Math.round(reply.elapsedTime * 100) / 100,
      ndc: answer.ndc,
    });
  }

  /** One line per request (S-LOG-02); also for those that never became one, see the listener. */
  note(done: RequestDone): void {
    this.logger.info(done, 'request');
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
