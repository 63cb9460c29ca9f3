import { Controller, Get, Req, Res } from '@nestjs/common';
import { resultOf } from '@sluice/answers';
import { codes, resultCodes } from '@sluice/result-codes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../answer.js';
import { RequestPipeline } from '../request-pipeline.js';
import { OpenToEverybody } from '../route-access.js';

/** The table never changes while the process runs, and has 60 kB. */
const LIST = JSON.stringify(resultCodes.map(({ code, description }) => ({ code, description })));

/** `GET /v1/resultcodes`: the catalogue of result codes (wire contract 11, D-40). */
@Controller('v1/resultcodes')
export class ListResultCodes {
  constructor(private readonly pipeline: RequestPipeline) {}

  @Get()
  @OpenToEverybody()
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.pipeline.send(request, reply, this.#answer());
  }

  #answer(): Answer {
    const stamp = this.pipeline.stamp();
    const common = JSON.stringify({ result: resultOf(codes.requestSuccessful), ...stamp });
    const body = `${common.slice(0, -1)},"resultCodes":${LIST}}`;
    return { status: 200, resultCode: codes.requestSuccessful, ndc: stamp.ndc, body };
  }
}
