export { type DigitRun, digitRuns, type TextRange } from './digit-runs.js';
export { AccessToken, AccountNumber, Cryptogram, Cvv, Pan, Secret } from './secret.js';
export { cardNumberPlaces, numberPlaces, replacedIn } from './separated-numbers.js';
