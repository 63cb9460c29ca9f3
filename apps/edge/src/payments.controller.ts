import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
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
      this.throttledIds.refuse(id, admitted.access.channel.id);
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
