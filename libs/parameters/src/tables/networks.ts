import { text } from '../formats.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameter } from '../parameter.js';

/** What the interface writes `<network>` (D-53). */
export const networks = ['visa', 'mastercard', 'amex', 'diners', 'jcb', 'cartebancaire'] as const;

type Network = (typeof networks)[number];

/** Of the whole structure: a check alone would ignore what somebody relies on. */
export const ofNoCheck = {
  risk: 'is of an authentication or its payment, and this authenticates nobody',
} as const;

const ofNetworks = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout', 'threeDSecure'],
  refusedIn: ofNoCheck,
  sensitivity: 'none',
  echo: false,
  kept: true,
  cardNumbers: 'masked',
  interface: '2.17',
  since: '0.1.0',
} as const;

const ofOne = {
  requestorId: {
    ...ofNetworks,
    format: text({ max: 100 }),
    cardNumbers: 'refused',
    example: '10088321',
    description: "The merchant's requestor id at this card network.",
  },
  requestorName: {
    ...ofNetworks,
    format: text({ max: 100 }),
    example: 'Example Bookshop',
    description: "The merchant's requestor name at this card network.",
  },
} as const;

type NetworkTable = Readonly<
  Record<`threeDSecure.v2.${Network}.${keyof typeof ofOne}`, Parameter<string>>
>;

/** Interface 2.17: the merchant as the card networks know him, `threeDSecure.v2.<network>.*`. */
export const threeDSecureNetworks = Object.fromEntries(
  networks.flatMap((network) =>
    Object.entries(ofOne).map(([key, row]) => [`threeDSecure.v2.${network}.${key}`, row]),
  ),
) as object as NetworkTable;
