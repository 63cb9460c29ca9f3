import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestPipeline } from '../request-pipeline.js';
import { StandaloneRequests } from '../standalone-requests.js';

/** `POST /v1/threeDSecure`: has a shopper authenticated, for a payment that comes later (Interface 2.17). */
@Controller('v1/threeDSecure')
export class CreateAuthentication {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly requests: StandaloneRequests,
  ) {}

  @Post()
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) =>
      this.requests.begin(admitted, {
        ...({ kind: 'threeDSecure', operation: 'authentication' } as const),
        resource: '/v1/threeDSecure',
      }),
    );
  }
}
