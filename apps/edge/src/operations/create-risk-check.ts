import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestPipeline } from '../request-pipeline.js';
import { StandaloneRequests } from '../standalone-requests.js';

/** `POST /v1/risk`: has the rules of the channel judge what is no payment yet (Interface 2.18). */
@Controller('v1/risk')
export class CreateRiskCheck {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly requests: StandaloneRequests,
  ) {}

  @Post()
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.pipeline.serve(request, reply, (admitted) =>
      this.requests.begin(admitted, {
        ...({ kind: 'risk', operation: 'riskAssessment' } as const),
        resource: '/v1/risk',
      }),
    );
  }
}
