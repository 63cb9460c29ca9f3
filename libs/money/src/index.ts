export {
  add,
  type Amount,
  type AmountRefusal,
  type AmountText,
  compare,
  formatAmount,
  fromMessage,
  isOnWire,
  isoDecimal,
  parseAmount,
  type ParsedAmount,
  toMessage,
  zero,
} from './amount.js';
export {
  currencies,
  currency,
  type Currency,
  type Exponent,
  exponentOf,
  isCurrency,
  isWithdrawn,
} from './currency.js';
