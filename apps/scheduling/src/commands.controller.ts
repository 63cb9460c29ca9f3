import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { CreateSchedule, EndSchedule, Reschedule } from '@sluice/contracts';
import { type CommandContext, openCommand } from '@sluice/messaging';
import { EnvelopeOpener } from '@sluice/service';
import type { HandlerReply } from './schedule-replies.js';
import { SchedulesHandler } from './schedules.handler.js';

/** Commands from other services. */
@Controller()
export class CommandsController {
  constructor(
    private readonly handler: SchedulesHandler,
    private readonly opener: EnvelopeOpener,
  ) {}

  /** `POST /scheduling/v1/schedules` (wire contract 6). */
  @MessagePattern('CreateSchedule')
  async create(
    @Payload() message: CreateSchedule,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.create(await openCommand(this.opener, message), lifeEndsMs);
  }

  /** `POST /scheduling/v1/schedules/{id}/reschedule`. */
  @MessagePattern('Reschedule')
  async reschedule(
    @Payload() message: Reschedule,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.reschedule(await openCommand(this.opener, message), lifeEndsMs);
  }

  /** `POST /scheduling/v1/schedules/{id}/deschedule` and `DELETE /scheduling/v1/schedules/{id}`. */
  @MessagePattern('EndSchedule')
  async end(
    @Payload() message: EndSchedule,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.end(await openCommand(this.opener, message), lifeEndsMs);
  }
}
