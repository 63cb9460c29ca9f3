import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { RegistrationAnswer, RegistrationQuery } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { RegistrationQueries } from './registration-queries.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(private readonly queries: RegistrationQueries) {}

  /** One registration, from its own stream: always current. */
  @MessagePattern(queryPattern('registrations.registration'))
  registration(@Payload() query: RegistrationQuery): Promise<RegistrationAnswer> {
    return this.queries.registration(query);
  }
}
