export { type DigitRun, digitRuns, type TextRange } from './digit-runs.js';
export { ibanPlaces, isIban } from './ibans.js';
export { AccessToken, Detail, Secret, WebhookSecret } from './secret.js';
export {
  accountPlaces,
  bareAccount,
  cardNumberPlaces,
  numberPlaces,
  replacedIn,
} from './separated-numbers.js';
