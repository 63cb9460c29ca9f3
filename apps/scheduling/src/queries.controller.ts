import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type {
  ScheduleAnswer,
  ScheduleQuery,
  SchedulesOfRegistrationAnswer,
  SchedulesOfRegistrationQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { ScheduleQueries } from './schedule-queries.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(private readonly queries: ScheduleQueries) {}

  /** One schedule, from its own stream: always current. */
  @MessagePattern(queryPattern('scheduling.schedule'))
  schedule(@Payload() query: ScheduleQuery): Promise<ScheduleAnswer> {
    return this.queries.schedule(query);
  }

  /** Those of one registration; always current, too. */
  @MessagePattern(queryPattern('scheduling.schedulesOfRegistration'))
  schedulesOfRegistration(
    @Payload() query: SchedulesOfRegistrationQuery,
  ): Promise<SchedulesOfRegistrationAnswer> {
    return this.queries.ofRegistration(query);
  }
}
