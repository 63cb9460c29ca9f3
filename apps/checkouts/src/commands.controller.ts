import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { CreateCheckout, SaveForm, SubmitAttempt, UpdateCheckout } from '@sluice/contracts';
import { type CommandContext, openCommand } from '@sluice/messaging';
import { EnvelopeOpener } from '@sluice/service';
import type { HandlerReply } from './checkout-replies.js';
import { CheckoutsHandler } from './checkouts.handler.js';

/** Commands from other services. */
@Controller()
export class CommandsController {
  constructor(
    private readonly handler: CheckoutsHandler,
    private readonly opener: EnvelopeOpener,
  ) {}

  /** `POST /v1/checkouts` (Interface 4). */
  @MessagePattern('CreateCheckout')
  async create(
    @Payload() message: CreateCheckout,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.create(await openCommand(this.opener, message), lifeEndsMs);
  }

  /** `POST /v1/checkouts/{id}` (wire contract 3). */
  @MessagePattern('UpdateCheckout')
  async update(
    @Payload() message: UpdateCheckout,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.update(await openCommand(this.opener, message), lifeEndsMs);
  }

  /** `POST /v1/checkouts/{id}/payment` and `…/registration`, before anything is asked for (Interface 4). */
  @MessagePattern('SubmitAttempt')
  async submit(
    @Payload() message: SubmitAttempt,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.submit(await openCommand(this.opener, message), lifeEndsMs);
  }

  /** `POST /v1/checkouts/{id}/payment` that only saves what the shopper has typed (page 0068). */
  @MessagePattern('SaveForm')
  async save(
    @Payload() message: SaveForm,
    @Ctx() { lifeEndsMs }: CommandContext,
  ): Promise<HandlerReply> {
    return this.handler.save(await openCommand(this.opener, message), lifeEndsMs);
  }
}
