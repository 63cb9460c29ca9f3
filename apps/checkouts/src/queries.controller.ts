import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type {
  ApplePaySessionAnswer,
  ApplePaySessionQuery,
  AttemptNeverAskedQuery,
  CheckoutDeletionAnswer,
  CheckoutDeletionQuery,
  CheckoutStatusAnswer,
  CheckoutStatusQuery,
  CheckoutToCompleteAnswer,
  CheckoutToCompleteQuery,
  KeepWidgetQuery,
  OfferedWalletsAnswer,
  OfferedWalletsQuery,
  ResultPageAnswer,
  ResultPageQuery,
  ServedAnswer,
  WidgetAnswer,
  WidgetQuery,
} from '@sluice/contracts';
import { queryPattern } from '@sluice/messaging';
import { CheckoutQueries } from './checkout-queries.js';
import { PageWallets } from './page-wallets.js';
import { Widgets } from './widgets.js';

/** Reads for other services. */
@Controller()
export class QueriesController {
  constructor(
    private readonly queries: CheckoutQueries,
    private readonly widgets: Widgets,
    private readonly pageWallets: PageWallets,
  ) {}

  /** How one checkout stands, from its own stream and what others know: always current. */
  @MessagePattern(queryPattern('checkouts.status'))
  status(@Payload() query: CheckoutStatusQuery): Promise<CheckoutStatusAnswer> {
    return this.queries.status(query);
  }

  /** A success is about to be told: recorded once, and the checkout is over. */
  @MessagePattern(queryPattern('checkouts.serve'))
  serve(@Payload() query: CheckoutStatusQuery): Promise<ServedAnswer> {
    return this.queries.serve(query);
  }

  /** The merchant wants no shopper to complete it any more. */
  @MessagePattern(queryPattern('checkouts.delete'))
  delete(@Payload() query: CheckoutDeletionQuery): Promise<CheckoutDeletionAnswer> {
    return this.queries.delete(query);
  }

  /** An attempt of which edge knows that nothing has come: the shopper may send the form again. */
  @MessagePattern(queryPattern('checkouts.neverAsked'))
  async neverAsked(@Payload() query: AttemptNeverAskedQuery): Promise<object> {
    await this.queries.neverAsked(query);
    return {};
  }

  /** What a shopper's form completes. */
  @MessagePattern(queryPattern('checkouts.toComplete'))
  toComplete(@Payload() query: CheckoutToCompleteQuery): Promise<CheckoutToCompleteAnswer> {
    return this.queries.toComplete(query);
  }

  /** Whether a page of results is still to be called, and where it is. */
  @MessagePattern(queryPattern('checkouts.resultPage'))
  resultPage(@Payload() query: ResultPageQuery): Promise<ResultPageAnswer> {
    return this.queries.resultPage(query);
  }

  /** An instance of edge has this build of the widget. */
  @MessagePattern(queryPattern('checkouts.keepWidget'))
  async keepWidget(@Payload() query: KeepWidgetQuery): Promise<object> {
    await this.widgets.keep(query);
    return {};
  }

  /** A build of the widget that another instance of edge has. */
  @MessagePattern(queryPattern('checkouts.widget'))
  widget(@Payload() query: WidgetQuery): Promise<WidgetAnswer> {
    return this.widgets.find(query);
  }

  /** Which wallets are on the pages of a channel. */
  @MessagePattern(queryPattern('checkouts.wallets'))
  wallets(@Payload() query: OfferedWalletsQuery): OfferedWalletsAnswer {
    return this.pageWallets.offered(query);
  }

  /** Has Apple confirm a page, before a sheet opens on it. */
  @MessagePattern(queryPattern('checkouts.applePaySession'))
  applePaySession(@Payload() query: ApplePaySessionQuery): Promise<ApplePaySessionAnswer> {
    return this.pageWallets.applePaySession(query);
  }
}
