import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { InitiatePayment, ReferToPayment } from '@sluice/contracts';
import type { CommandContext } from '@sluice/messaging';
import type { Handled } from './payment-replies.js';
import { PaymentsHandler } from './payments.handler.js';

/** Commands from other services. */
@Controller()
export class CommandsController {
  constructor(private readonly handler: PaymentsHandler) {}

  /** `POST /v1/payments` (Interface 3). */
  @MessagePattern('InitiatePayment')
  initiate(
    @Payload() message: InitiatePayment,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<Handled> {
    return this.handler.initiate(message, lifeEndsMs);
  }

  /** `POST /v1/payments/{id}`, and PA with `referenceUuid` (Interface 3). */
  @MessagePattern('ReferToPayment')
  refer(
    @Payload() message: ReferToPayment,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<Handled> {
    return this.handler.refer(message, lifeEndsMs);
  }
}
