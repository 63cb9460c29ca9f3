export { AccessToken, Cvv, Pan, Secret } from './secret.js';
