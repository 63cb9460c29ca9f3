export { complaintOf } from './complaint.js';
export { type CommandLine, type CommandWords, parsed, wishOf } from './command-line.js';
export { wholeNumber } from './whole-number.js';
