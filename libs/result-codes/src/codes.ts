import type { ResultCode } from './catalogue.js';

/** Read in browsers as well, which load these two and none of the others. */
export const invalidParameter = '200.300.404';
/** The same. */
export const tooManyRequests = '800.120.100';

/**
 * The codes that code names, by what they mean (D-29 to D-41): the only place where a code gets a name.
 * A spec of `tools/repository` finds the ones that are written as text elsewhere.
 */
export const codes = {
  /** Approved on a live installation. */
  approvedLive: '000.000.000',
  requestSuccessful: '000.000.100',
  /** Approved with `testMode` INTERNAL or none. */
  approvedInternal: '000.100.110',
  /** Approved with `testMode` EXTERNAL. */
  approvedExternal: '000.100.112',
  /** A chargeback whose `chargebackResultCode` was not sent (D-32). */
  chargebackReceived: '000.100.200',
  /** A risk check alone is accepted (wire contract 6). */
  riskCheckSuccessful: '000.300.100',
  /** Approved, and to be looked at before anything is captured. */
  approvedForReview: '000.400.000',
  /** Approved, and rejected by somebody who looked at it: what was taken is given back. */
  approvedAndRejected: '000.400.100',
  /** A rule of the merchant rejects it, and neither it nor its kind has a code of its own. */
  riskRejected: '100.380.100',
  /** Pending, and unknown as merchants see it (D-34). */
  pending: '000.200.000',
  checkoutCreated: '000.200.100',
  checkoutUpdated: '000.200.101',
  checkoutDeleted: '000.200.102',
  /** It may have been paid, so it is not deleted. */
  checkoutPending: '000.200.103',

  /** Format and presence of parameters (D-37). */
  invalidParameter,
  methodNotAllowed: '200.300.403',
  wrongUrl: '200.100.199',
  /** The idempotency key was used for other input (D-36). */
  idempotencyKeyConflict: '200.300.405',

  /** A schedule that has no time to run at (Interface 2.18). */
  jobNeverRuns: '100.250.100',
  jobDurationUnit: '100.250.106',
  jobNoticeUnit: '100.250.107',
  jobFieldsConflict: '100.250.120',
  jobHour: '100.250.121',
  jobMinuteOrSecond: '100.250.122',
  jobDayOfMonth: '100.250.123',
  jobMonth: '100.250.124',
  jobDayOfWeek: '100.250.125',
  /** There is no active schedule to change. */
  cannotReschedule: '100.360.300',
  cannotDeschedule: '100.360.303',

  /** Well-formed input that cannot be paid, in the order of D-37. */
  amountTooLow: '100.550.300',
  amountTooLarge: '100.550.301',
  amountFormat: '100.550.303',
  invalidCardNumber: '100.100.101',
  brandMismatch: '100.100.700',
  cardExpired: '100.100.303',
  securityCodeMissing: '100.100.600',
  invalidSecurityCode: '100.100.601',
  /** A wallet was named, and nothing of it sent. */
  walletMissing: '200.100.601',
  /** The token of a wallet that cannot be opened, or not any more. */
  walletTokenRefused: '200.100.603',
  /** What the shopper agreed to in a wallet is something else. */
  amountsDiffer: '100.550.701',
  currenciesDiffer: '100.550.702',
  /** What the SDK of an app said for an authentication by 3-D Secure cannot be read. */
  authenticationDataInvalid: '100.390.117',
  /** The token of a wallet was used for another payment. */
  duplicatePayment: '800.110.100',
  /** The day on which a direct debit is due. */
  dueDateInvalid: '100.500.301',
  /** Mode, source and practice of a standing instruction that do not exist together. */
  invalidRecurrenceMode: '100.900.500',

  /** Registrations (wire contract 4). */
  registrationUnknown: '100.150.200',
  /** It is still being stored. */
  registrationUnconfirmed: '100.150.201',
  /** It was deleted before it could be used. */
  registrationRemoved: '100.150.202',
  registrationUnusable: '100.150.203',
  /** What was to be stored has been forgotten. */
  registrationDetailsGone: '100.150.206',
  /** A registration that was deleted before. */
  registrationClosed: '100.350.101',

  /** Access (Interface 5, D-39). */
  invalidAuthentication: '800.900.300',
  senderNotAuthorized: '800.900.100',
  channelDisabled: '500.100.201',
  /** No route for the payment method. */
  methodNotConfigured: '600.200.201',
  /** Currency, brand or channel without configuration. */
  notConfigured: '600.200.500',
  /** No connector leads to an acquirer from here. */
  connectorNotAvailable: '500.100.401',
  /** The terms of a standing instruction allow no such authorization. */
  recurringNotAllowed: '600.200.501',
  /** No merchant account with an endpoint for the mode. */
  modeNotConfigured: '600.200.700',
  testModeNotAllowed: '600.200.701',
  /** No route for the brand, but for others of its method. */
  brandNotConfigured: '600.200.800',
  /** `forceResultCode` is no listed code (D-48). */
  invalidReturnCode: '600.200.810',
  tooManyRequests,

  /** Legal references, in the order of D-29. */
  transactionNotFound: '700.400.580',
  channelDiffers: '700.400.700',
  referencePending: '700.400.570',
  captureNeedsAuthorization: '700.400.510',
  refundNeedsCapture: '700.400.520',
  reversalNeedsTransaction: '700.400.530',
  chargebackNeedsTransaction: '700.400.550',
  receiptNeedsTransaction: '700.400.560',
  chargebackReversalNeedsChargeback: '700.400.420',
  furtherAuthorizationNeedsAuthorization: '700.100.700',
  referenceHasWrongType: '700.300.100',
  currencyDiffers: '700.100.500',
  modeDiffers: '700.100.600',
  alreadyReversed: '700.300.300',
  chargedBack: '700.300.600',
  tooLateToReverse: '700.300.700',
  captureImpossible: '700.400.100',
  refundImpossible: '700.400.200',
  reversalImpossible: '700.400.300',
  chargebackImpossible: '700.400.400',
  chargebackReversalImpossible: '700.400.410',
  manualChargebackNotAllowed: '700.400.402',
  tooManyTransactions: '700.500.001',

  /** What became of a shopper at the acquirer's page. */
  onlineTransferTimedOut: '100.395.501',
  cancelledByUser: '100.396.101',
  pendingTimedOut: '100.396.103',
  /** A retry that the network advises against (B12): too early, before a correction, or at all. */
  retryIn72Hours: '700.600.002',
  retryIn24Hours: '700.600.025',
  retryAfterCorrection: '700.601.001',
  retryForbidden: '700.601.003',

  /** The other side. */
  /** The issuer wants the shopper to be authenticated. */
  softDecline: '300.100.100',
  declinedByAuthorizationSystem: '800.100.152',
  functionNotAvailable: '900.100.202',
  communicationError: '900.100.100',
  acquirerError: '900.100.200',
  acquirerDown: '900.100.600',
  /** A command may have left and nobody knows (D-34). */
  timeoutUncertain: '900.100.300',
  timeoutReversed: '900.100.301',
  notPerformed: '900.100.310',

  /** This side. */
  busy: '800.600.100',
  unavailable: '800.800.800',
  undefinedError: '999.999.999',
} as const satisfies Record<string, ResultCode>;
