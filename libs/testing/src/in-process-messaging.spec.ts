import { describe } from '@jest/globals';
import { InProcessBus } from '@sluice/messaging';
import { messagingContract } from './messaging-contract.js';

describe('the in-process adapter', () => {
  messagingContract(() => Promise.resolve(new InProcessBus()));
});
