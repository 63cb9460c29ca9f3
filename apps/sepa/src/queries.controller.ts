import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { OrderAnswer, OrderQuery, PlaceOrderQuery } from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { Orders } from './orders.js';

/** Orders of payments. Asked again, each is the same order. */
@Controller()
export class QueriesController {
  constructor(private readonly orders: Orders) {}

  @MessagePattern(queryPattern('sepa.placeOrder'))
  placeOrder(@Payload() query: PlaceOrderQuery): Promise<OrderAnswer> {
    return this.orders.place(query);
  }

  /** What has become of an order. */
  @MessagePattern(queryPattern('sepa.order'))
  order(@Payload() { reference }: OrderQuery): Promise<OrderAnswer> {
    return this.orders.find(reference);
  }

  /** Takes an order back that is in no file yet. */
  @MessagePattern(queryPattern('sepa.cancelOrder'))
  cancelOrder(@Payload() { reference }: OrderQuery): Promise<OrderAnswer> {
    return this.orders.cancel(reference);
  }
}
