export { relayOf } from './declaration.js';
