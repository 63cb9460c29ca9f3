import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { InitiatePayment, ReferToPayment } from '@sluice/contracts';
import { type CommandContext, openCommand } from '@sluice/messaging';
import { EnvelopeOpener } from '@sluice/service';
import type { HandlerReply } from './payment-replies.js';
import { PaymentsHandler } from './payments.handler.js';

/** Commands from other services. */
@Controller()
export class CommandsController {
  constructor(
    private readonly handler: PaymentsHandler,
    private readonly opener: EnvelopeOpener,
  ) {}

  /** `POST /v1/payments` (Interface 3). */
  @MessagePattern('InitiatePayment')
  async initiate(
    @Payload() message: InitiatePayment,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.initiate(await openCommand(this.opener, message), lifeEndsMs);
  }

  /** `POST /v1/payments/{id}`, and PA with `referenceUuid` (Interface 3). */
  @MessagePattern('ReferToPayment')
  async refer(
    @Payload() message: ReferToPayment,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.refer(await openCommand(this.opener, message), lifeEndsMs);
  }
}
