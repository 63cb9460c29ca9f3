// The gateway serves the library beside these scripts.
export { default } from 'leven';
