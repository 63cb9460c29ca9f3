export { leaves, NAMESPACE } from './leaves.js';
export { makeSecrets, secretFiles, SecretsRefused, type SecretsWish } from './secrets.js';
