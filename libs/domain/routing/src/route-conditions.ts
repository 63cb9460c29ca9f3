import type { EndpointMode, Mode } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import { type Amount, compare } from '@sluice/money';
import type { Installation, PlacedRoute, RoutedPayment } from './routed-payment.js';

/** What has to hold for a payment to take a route. */
export type ConditionName =
  | 'mode'
  | 'merchantAccount'
  | 'endpoint'
  | 'method'
  | 'brand'
  | 'currency'
  | 'binCountry'
  | 'amount'
  | 'connector'
  | 'instrument'
  | 'installments';

interface Condition {
  readonly name: ConditionName;
  readonly holds: (
    placed: PlacedRoute,
    payment: Omit<RoutedPayment, 'id'>,
    installation: Installation,
  ) => boolean;
  /** The answer to a payment that has met every condition before, on some route, and not this one. */
  readonly refusal: (left: readonly PlacedRoute[], payment: RoutedPayment) => string;
}

/**
 * In this order: a payment is refused for the first one that no route is left with, so that the code
 * says how far its configuration goes. First whether the entity has anything in this mode, then what the
 * payment is, and last what nobody could correct but the operator.
 */
export const routeConditions: readonly Condition[] = [
  {
    name: 'mode',
    holds: ({ route }, { mode }) => route.modes.includes(mode),
    refusal: () => codes.modeNotConfigured,
  },
  {
    name: 'merchantAccount',
    holds: ({ account }) => account !== undefined,
    refusal: () => codes.notConfigured,
  },
  {
    name: 'endpoint',
    holds: ({ account }, { mode }) => !isCalled(mode) || account?.endpoints[mode] !== undefined,
    refusal: () => codes.modeNotConfigured,
  },
  {
    name: 'method',
    holds: ({ route: { methods } }, { method }) => isAmong(methods, method),
    refusal: () => codes.methodNotConfigured,
  },
  {
    name: 'brand',
    holds: ({ route: { brands } }, { brand }) => isAmong(brands, brand),
    refusal: () => codes.brandNotConfigured,
  },
  {
    name: 'currency',
    holds: ({ route }, { amount: { currency } }) =>
      isAmong(route.currencies, currency) &&
      boundsOf(route).every((bound) => bound.currency === currency),
    refusal: () => codes.notConfigured,
  },
  {
    name: 'binCountry',
    holds: ({ route: { binCountries } }, { binCountry }) => isAmong(binCountries, binCountry),
    refusal: () => codes.notConfigured,
  },
  {
    name: 'amount',
    holds: (placed, payment) => !isBelow(placed, payment) && !isAbove(placed, payment),
    refusal: (left, payment) => {
      if (left.every((placed) => isAbove(placed, payment))) return codes.amountTooLarge;
      if (left.every((placed) => isBelow(placed, payment))) return codes.amountTooLow;
      return codes.notConfigured;
    },
  },
  {
    name: 'connector',
    holds: ({ account }, { mode }, { connectors, unusable, simulator }) =>
      isCalled(mode)
        ? account !== undefined &&
          connectors.includes(account.connector) &&
          unusable?.has(account.id) !== true
        : simulator !== undefined,
    refusal: () => codes.connectorNotAvailable,
  },
  {
    name: 'instrument',
    holds: ({ account }, _payment, { notTaking }) =>
      account === undefined || notTaking?.has(account.id) !== true,
    refusal: () => codes.notConfigured,
  },
  {
    name: 'installments',
    holds: ({ account }, { inInstallments }, { atOnceOnly }) =>
      inInstallments !== true || account === undefined || atOnceOnly?.has(account.id) !== true,
    refusal: () => codes.notConfigured,
  },
];

/** The first condition of a route that a payment does not meet; undefined if it may take it. */
export function unmetCondition(
  placed: PlacedRoute,
  payment: RoutedPayment,
  installation: Installation,
): ConditionName | undefined {
  return routeConditions.find(({ holds }) => !holds(placed, payment, installation))?.name;
}

/** Whether somebody else's host is called in the mode; otherwise the simulator plays it. */
export function isCalled(mode: Mode): mode is EndpointMode {
  return mode !== 'INTERNAL';
}

/** An absent condition always holds; what is not known is among no values. */
function isAmong<Value extends string>(
  values: readonly Value[] | undefined,
  value: Value | undefined,
): boolean {
  return values === undefined || (value !== undefined && values.includes(value));
}

function boundsOf({ amountFrom, amountTo }: PlacedRoute['route']): readonly Amount[] {
  return [amountFrom, amountTo].filter((bound) => bound !== undefined);
}

function isBelow(
  { route: { amountFrom } }: PlacedRoute,
  { amount }: Pick<RoutedPayment, 'amount'>,
): boolean {
  return amountFrom !== undefined && compare(amount, amountFrom) < 0;
}

function isAbove(
  { route: { amountTo } }: PlacedRoute,
  { amount }: Pick<RoutedPayment, 'amount'>,
): boolean {
  return amountTo !== undefined && compare(amount, amountTo) > 0;
}
