export { unregisteredScheme } from './app-schemes.js';
export {
  brandNamed,
  type CardBrand,
  cardBrands,
  detectedBrand,
  detectedRanges,
  isOfBrand,
} from './brands.js';
export { bodyOnly } from './body-only.js';
export { REGISTRATION_ID } from './conditions.js';
export {
  checkoutDeletionFaults,
  checkoutFaults,
  checkoutParameters,
  checkoutPurposeOf,
  checkoutRejection,
  checkoutUpdateFaults,
} from './checkout-checks.js';
export { type CompletedForm, completedForm, type StoredAccounts } from './checkout-form.js';
export { deviceNames } from './device-names.js';
export { DUE_DATE } from './due-date.js';
export { migratedFromTheFuture } from './migrated-agreement.js';
export { accountNumbersMasked } from './card-numbers-in-text.js';
export { catalogue, type ParameterKey, type ParameterValue } from './catalogue.js';
export { type Citation, citationOf } from './citations.js';
export { parametersTaken, type TakeParameters } from './parameters-taken.js';
export { echo, type EchoedFields } from './echo.js';
export { compatibilityReference } from './compatibility-reference.js';
export { translated } from './compatibility.js';
export { INSTALLMENTS, isInInstallments, scheduledInstallmentsRejection } from './installments.js';
export { type KnownBrand, knownBrands } from './known-brands.js';
export { OF_NO_DEBIT } from './conflicts.js';
export { emptyForm, Form, formOfParameters } from './form.js';
export { mergeQueryAndBody, type ParsedForm, parseForm } from './form-parser.js';
export {
  collectingReferences,
  isNewPayment,
  type Kind,
  kinds,
  type NewPaymentKind,
  operationOfSchedule,
  paymentTypeOf,
  type StandaloneKind,
  registrationTypeOf,
  referenceOperationByType,
  scheduleTypeOf,
} from './kinds.js';
export { BODY_BYTES_MAX, PARAMETER_ERRORS_MAX } from './limits.js';
export { passesLuhn } from './luhn.js';
export { openApiDocument, type ServerObject } from './open-api.js';
export { paymentExamples, referenceExamples, type RequestExample } from './open-api-examples.js';
export type { JsonObject } from './json-object.js';
export {
  type NamedRegistration,
  namedRegistrationFaults,
  namedRegistrations,
  namingParameters,
} from './named-registrations.js';
export type { ParameterError } from './parameter-error.js';
export { type AskedAuthentication, askedAuthentication } from './asked-authentication.js';
export { type FoundCard, indicatorFault } from './external-proof.js';
export { DEVICE_INFO, type DeviceInfo, readDeviceInfo } from './device-info.js';
export { amountOf, type AskedPayment, firstRejection } from './payment-checks.js';
export {
  type CheckedEntryQuery,
  type CheckedQuery,
  checkEntryQuery,
  checkQuery,
  type EntryQueryForm,
  type QueryForm,
} from './query-checks.js';
export { canonicalDomain, canonicalEmail } from './email-address.js';
export { detailsToHold, isUnstorable } from './held-details.js';
export { type AccountTexts, oneAccount } from './one-account.js';
export {
  answeredInstrument,
  instrumentKindOf,
  instrumentsByStructure,
  isPaidBrand,
  isServed,
  needsShopper,
  shownInstrumentOf,
  storedNeedsShopper,
} from './instruments.js';
export {
  type CardInToken,
  cardInToken,
  type CheckedCardInToken,
} from './instruments/wallet-card.js';
export { cardBrandSent, tokenOf } from './instruments/wallet.js';
export { tokenRejection } from './token-rejection.js';
export type { AnswerParts } from './instruments/instrument-form.js';
export { read } from './read.js';
export { migratedAgreement, oneClickAgreement, termsOf } from './standing-instruction.js';
export {
  askedExpiryOf,
  asksToStore,
  changedExpiryOf,
  expiryRejection,
  idleParameters,
  mayUseRegistration,
  needsRegistration,
  registeredInstrumentOf,
  registrationRejection,
  storedRejection,
  updateFaults,
  usedRegistrationOf,
} from './registration-checks.js';
export { notServedRejection, type Rejection } from './rejection.js';
export {
  demandNote,
  kindTitles,
  notServed,
  notServedNote,
  type ReferenceRow,
  type ReferenceStructure,
  referenceStructures,
} from './reference-rows.js';
export { type ReferenceLimit, referenceLimits } from './reference-limits.js';
export { referenceTables } from './reference-tables.js';
export { COMPLETION_FIELDS, completionFaults, isCompletion, SAVED } from './saved-completion.js';
export {
  type FormToSave,
  formToSave,
  savedForm,
  type SavedParts,
  savedParts,
  SAVES,
} from './saved-form.js';
export { accountKindOf } from './standalone-account.js';
export { standaloneFaults } from './standalone-checks.js';
export { shownAmount } from './shown-amount.js';
export { typeOfAccount } from './type-by-brand.js';
export { isKeptName, neverValue, stored, type StoredParameters } from './stored.js';
export { isCountry } from './registered-formats.js';
export { testDirectivesIn } from './test-directives.js';
export { checkForm, type CheckedForm, type Place, violations } from './violations.js';
