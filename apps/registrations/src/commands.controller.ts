import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type {
  ReferToRegistration,
  RegisterInstrument,
  UpdateRegistration,
} from '@sluice/contracts';
import { type CommandContext, openCommand } from '@sluice/messaging';
import { EnvelopeOpener } from '@sluice/service';
import type { HandlerReply } from './registration-replies.js';
import { RegistrationsHandler } from './registrations.handler.js';

/** Commands from other services. */
@Controller()
export class CommandsController {
  constructor(
    private readonly handler: RegistrationsHandler,
    private readonly opener: EnvelopeOpener,
  ) {}

  /** `POST /v1/registrations` (Interface 4). */
  @MessagePattern('RegisterInstrument')
  async register(
    @Payload() message: RegisterInstrument,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.register(await openCommand(this.opener, message), lifeEndsMs);
  }

  /** `POST /v1/registrations/{id}`. */
  @MessagePattern('UpdateRegistration')
  async update(
    @Payload() message: UpdateRegistration,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.update(await openCommand(this.opener, message), lifeEndsMs);
  }

  /** `DELETE /v1/registrations/{id}` and `POST /v1/registrations/{id}/extendlife`. */
  @MessagePattern('ReferToRegistration')
  async refer(
    @Payload() message: ReferToRegistration,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.refer(await openCommand(this.opener, message), lifeEndsMs);
  }
}
