import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { codes } from '@sluice/result-codes';
import type { Logger } from '@sluice/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, Refused } from './answer.js';
import { pathOf } from './access-guard.js';
import { invalidParameters } from './refusals.js';
import { OTHER_MEDIA_TYPE } from './request-form.js';
import type { RequestPipeline } from './request-pipeline.js';
import type { RouteTable } from './route-table.js';

/** Interface 7: unknown URL or mistyped path. */
export const WRONG_URL: Refusal = { code: codes.wrongUrl };
/** The status table has no 405: with this method there is nothing at the URL. */
const WRONG_METHOD: Refusal = { code: codes.methodNotAllowed };
const DEFECT: Refusal = { code: codes.undefinedError };

const BODY_TOO_LARGE = 413;
const MEDIA_TYPE_MALFORMED = 415;
const NOT_FOUND = 404;
const SERVER_ERROR = 500;

/**
 * Answers whatever is thrown outside a merchant request's own flow, Fastify's and Nest's errors
 * included, with the common body (Interface 7, D-35). Nothing of the error is shown (S-LOG-02).
 */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly routes: RouteTable,
    private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const refusal = this.#refusalOf(error, request);
    if (refusal === DEFECT) {
      this.logger.error({ err: error }, 'A request failed by a defect.');
    }
    if (!reply.sent) {
      this.pipeline.refuse(request, reply, refusal);
    }
  }
  #refusalOf(error: unknown, request: FastifyRequest): Refusal {
    if (error instanceof Refused) return error.refusal;
    const status = error instanceof HttpException ? error.getStatus() : SERVER_ERROR;
    switch (status) {
      case NOT_FOUND:
        return this.routes.has(pathOf(request.url)) ? WRONG_METHOD : WRONG_URL;
      case BODY_TOO_LARGE:
        return invalidParameters({ name: 'body', message: 'is too large' });
      case MEDIA_TYPE_MALFORMED:
        return invalidParameters(OTHER_MEDIA_TYPE);
      default:
        return status < SERVER_ERROR ? UNREADABLE : DEFECT;
    }
  }
}

/** A request that is not HTTP, or breaks off. */
export const UNREADABLE: Refusal = invalidParameters({
  name: 'request',
  message: 'must be complete and valid HTTP',
});
