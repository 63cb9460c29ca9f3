import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { QueryRequests } from './query-requests.js';
import { RequestDesk } from './request-desk.js';
import { ThrottledIds } from './throttled-ids.js';

/** The query resource, whose two versions differ in the name of the list (wire contract 6). */
@Controller()
export class QueriesController {
  constructor(
    private readonly desk: RequestDesk,
    private readonly queries: QueryRequests,
    private readonly throttledIds: ThrottledIds,
  ) {}

  @Get('v1/query')
  searchPayments(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.desk.serve(request, reply, (admitted) => this.queries.many(admitted, 'v1'));
  }

  @Get('v1/query/:id')
  queryPayment(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.desk.serve(request, reply, (admitted) => {
      this.throttledIds.refuse(id, admitted.access.channel.id);
      return this.queries.one(admitted, 'v1', id);
    });
  }

  @Get('v3/query')
  searchRecords(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.desk.serve(request, reply, (admitted) => this.queries.many(admitted, 'v3'));
  }

  @Get('v3/query/:id')
  queryRecord(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.desk.serve(request, reply, (admitted) => {
      this.throttledIds.refuse(id, admitted.access.channel.id);
      return this.queries.one(admitted, 'v3', id);
    });
  }
}
