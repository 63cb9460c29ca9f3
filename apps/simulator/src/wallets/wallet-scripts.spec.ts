import { describe, expect, it } from '@jest/globals';
import { Script } from 'node:vm';
import { walletScripts } from './wallet-scripts.js';

describe('the scripts of the wallets', () => {
  it('are classic scripts, each whole, with nothing to load', () => {
    expect([...walletScripts().keys()]).toEqual([
      ...['apple-pay.js', 'google-pay.js', 'click-to-pay.js'],
    ]);
    for (const text of walletScripts().values()) {
      // Throws for what is a module.
      new Script(text);
      expect(text).toContain('function openSheet(');
      expect(text).not.toMatch(/^(?:import|export) /m);
    }
  });
});
