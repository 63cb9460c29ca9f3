import { adviceNetworkOf, modes, type Route } from '@sluice/contracts';
import { compare, isCurrency } from '@sluice/money';

/** What is wrong with a route as it is said. */
export type RouteFault =
  | 'malformedId'
  | 'malformedCondition'
  | 'repeatedCondition'
  | 'malformedAmountRange'
  | 'amountRangeOfOtherCurrency'
  | 'malformedPriority'
  | 'malformedWeight'
  | 'declinedWithoutCards'
  | 'declinedWithoutAdvice';

/** The most values of one condition: as many as there are countries. */
export const CONDITION_VALUES_MAX = 250;
/** The last number of a route's priority; the first is 0. */
export const PRIORITY_MAX = 999;
/** Shares in thousandths are finer than anybody can tell from the payments. */
export const WEIGHT_MAX = 1_000;

const ID = /^[0-9a-f]{32}$/;
const METHOD = /^[A-Z]{2}$/;
const COUNTRY = /^[A-Z]{2}$/;
/** Interface 2.3 `paymentBrand`. */
const BRAND = /^[A-Z0-9_]{1,32}$/;

/** Interface 2.19: the method that issuers advise about. */
const CARDS = 'CC';

const isMode = (text: string): boolean => modes.some((mode) => mode === text);

/** The first fault of a route, if it has one. */
export function routeFault(route: Route): RouteFault | undefined {
  if (!ID.test(route.id)) return 'malformedId';
  return conditionFault(route) ?? amountFault(route) ?? shareFault(route) ?? declinedFault(route);
}

function conditionFault(route: Route): RouteFault | undefined {
  const { methods, brands, currencies, binCountries } = route;
  const lists: [readonly string[] | undefined, (text: string) => boolean][] = [
    [route.modes, isMode],
    [methods, (text) => METHOD.test(text)],
    [brands, (text) => BRAND.test(text)],
    [currencies, isCurrency],
    [binCountries, (text) => COUNTRY.test(text)],
  ];
  for (const [values, isFormed] of lists) {
    if (values === undefined) continue;
    // A condition without values would hold for no payment: the route would do nothing.
    const isCounted = values.length > 0 && values.length <= CONDITION_VALUES_MAX;
    if (!isCounted || !values.every(isFormed)) return 'malformedCondition';
    if (new Set(values).size !== values.length) return 'repeatedCondition';
  }
  return undefined;
}

function amountFault({ amountFrom, amountTo, currencies }: Route): RouteFault | undefined {
  const bounds = [amountFrom, amountTo].filter((bound) => bound !== undefined);
  const [bound] = bounds;
  if (bound === undefined) return undefined;
  const { currency } = bound;
  const isOfOther = bounds.some((each) => each.currency !== currency);
  if (isOfOther || currencies?.some((each) => each !== currency)) {
    return 'amountRangeOfOtherCurrency';
  }
  const isBelowZero = bounds.some(({ minor }) => minor < 0n);
  const isEmpty = amountFrom && amountTo && compare(amountFrom, amountTo) > 0;
  return isBelowZero || isEmpty ? 'malformedAmountRange' : undefined;
}

function shareFault({ priority, weight }: Route): RouteFault | undefined {
  if (!isWithin(priority, 0, PRIORITY_MAX)) return 'malformedPriority';
  return isWithin(weight, 1, WEIGHT_MAX) ? undefined : 'malformedWeight';
}

/** Nothing but advised cards is ever retried on another route: it would do nothing. */
function declinedFault({ methods, brands, takesDeclined }: Route): RouteFault | undefined {
  if (takesDeclined !== true) return undefined;
  if (methods !== undefined && !methods.includes(CARDS)) return 'declinedWithoutCards';
  const isAdvised = (brand: string): boolean => adviceNetworkOf(brand) !== undefined;
  return brands === undefined || brands.some(isAdvised) ? undefined : 'declinedWithoutAdvice';
}

function isWithin(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most;
}
