import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { codes } from '@sluice/result-codes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from './answer.js';
import { PaymentRequests } from './payment-requests.js';
import { RequestDesk } from './request-desk.js';
import { ThrottledIds } from './throttled-ids.js';

/** The payments resource (Interface 4). */
@Controller('v1/payments')
export class PaymentsController {
  constructor(
    private readonly desk: RequestDesk,
    private readonly payments: PaymentRequests,
    private readonly throttledIds: ThrottledIds,
  ) {}

  @Post()
  initiate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.desk.serve(request, reply, (admitted) => this.payments.initiate(admitted));
  }

  @Get(':id')
  read(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.desk.serve(request, reply, (admitted) => {
      // Its request was refused, and that is all there is to know of it.
      if (this.throttledIds.has(id, admitted.access.channel.id)) {
        throw new Refused({ code: codes.tooManyRequests, id });
      }
      return this.payments.read(admitted, id);
    });
  }

  @Post(':id')
  refer(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.desk.serve(request, reply, (admitted) => this.payments.refer(admitted, id));
  }
}
