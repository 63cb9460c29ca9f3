import type {
  ApplePaySessionAnswer,
  ApplePaySessionQuery,
  AttemptNeverAskedQuery,
  CheckoutCommandMessage,
  CheckoutDeletionAnswer,
  CheckoutDeletionQuery,
  CheckoutReply,
  CheckoutStatusAnswer,
  CheckoutStatusQuery,
  CheckoutToComplete,
  CheckoutToCompleteQuery,
  KeepWidgetQuery,
  OfferedWalletsAnswer,
  OfferedWalletsQuery,
  WidgetAnswer,
  WidgetQuery,
} from '@sluice/contracts';
import type { CommandResult } from '@sluice/messaging';

/** How checkouts behaves. */
export interface CheckoutScript {
  /** What it replies to a command. */
  checkOut: (command: CheckoutCommandMessage) => CommandResult<CheckoutReply>;
  /** How a checkout stands. */
  checkout: (query: CheckoutStatusQuery) => CheckoutStatusAnswer;
  /** Whether a success may be told. */
  serve: (query: CheckoutStatusQuery) => boolean;
  /** Hears of attempts for which nothing was asked. */
  neverAsked: (query: AttemptNeverAskedQuery) => void;
  /** A build of the widget that another instance of edge has. */
  widget: (query: WidgetQuery) => WidgetAnswer;
  /** Takes what this instance has. */
  keepWidget: (query: KeepWidgetQuery) => void;
  /** Whether one is deleted. */
  delete: (query: CheckoutDeletionQuery) => CheckoutDeletionAnswer;
  /** What a form completes. */
  toComplete: (query: CheckoutToCompleteQuery) => CheckoutToComplete | undefined;
  /** Which wallets there are. */
  wallets: (query: OfferedWalletsQuery) => OfferedWalletsAnswer;
  /** What Apple says of a page. */
  applePaySession: (query: ApplePaySessionQuery) => ApplePaySessionAnswer;
}

/** Records whatever it is sent, and has nothing. */
export const approvingCheckouts: CheckoutScript = {
  checkOut: () => ({ kind: 'replied', reply: { kind: 'recorded' } }),
  checkout: () => ({}),
  serve: () => true,
  delete: () => ({ outcome: 'gone' }),
  toComplete: () => undefined,
  neverAsked: () => undefined,
  widget: () => ({}),
  keepWidget: () => undefined,
  wallets: () => ({}),
  applePaySession: () => ({ kind: 'notSetUp' }),
};

/** What it answers to a query. */
export function checkoutAnswer(script: CheckoutScript, query: string, parameters: object): object {
  switch (query) {
    case 'checkouts.status':
      return script.checkout(parameters as CheckoutStatusQuery);
    case 'checkouts.serve':
      return { isServed: script.serve(parameters as CheckoutStatusQuery) };
    case 'checkouts.delete':
      return script.delete(parameters as CheckoutDeletionQuery);
    case 'checkouts.toComplete':
      return { checkout: script.toComplete(parameters as CheckoutToCompleteQuery) };
    case 'checkouts.neverAsked':
      script.neverAsked(parameters as AttemptNeverAskedQuery);
      return {};
    case 'checkouts.widget':
      return script.widget(parameters as WidgetQuery);
    case 'checkouts.keepWidget':
      script.keepWidget(parameters as KeepWidgetQuery);
      return {};
    case 'checkouts.wallets':
      return script.wallets(parameters as OfferedWalletsQuery);
    case 'checkouts.applePaySession':
      return script.applePaySession(parameters as ApplePaySessionQuery);
    default:
      throw new Error(`checkouts does not answer ${query}`);
  }
}
