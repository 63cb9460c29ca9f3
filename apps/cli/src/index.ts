export { commandLineReference } from './command-line-reference.js';
export { exitCodes } from './exit-codes.js';
export { runSluice } from './run.js';
export type { ProcessContext } from './session.js';
