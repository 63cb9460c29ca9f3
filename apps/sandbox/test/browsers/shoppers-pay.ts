import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { BROWSER_WITHIN_MS } from '../shop-visit-fixture.js';
import { BrowserVisit } from './browser-visit.js';
import { cardScenarios, lateScenarios } from './card-scenarios.js';
import { pageScenarios } from './page-scenarios.js';
import { redirectScenarios } from './redirect-scenarios.js';
import type { ShopperBrowser } from './shopper-browser.js';
import { walletScenarios } from './wallet-scenarios.js';

const SCENARIOS = [
  ...[...cardScenarios, ...redirectScenarios, ...pageScenarios, ...walletScenarios],
  ...lateScenarios,
];
/** Beside the counts; of the project whose suite it is. */
const PICTURES = join(process.cwd(), 'test-results');

/** The suite of one browser: every scenario, and a picture of where one has failed. */
export function shoppersPayIn(engine: string, start: () => Promise<ShopperBrowser>): void {
  describe(`a shopper in ${engine}`, () => {
    const visit = new BrowserVisit(start);

    it.each(SCENARIOS)(
      '$rule',
      async ({ rule, play }) => {
        try {
          await play(visit);
        } catch (failure) {
          const seen = await pictureOf(visit, `${engine}-${rule.replaceAll(/\W+/g, '-')}`);
          throw new Error(`${String(failure)}\nWhat was seen: ${seen}`, { cause: failure });
        }
        expect(visit.faults).toEqual([]);
      },
      BROWSER_WITHIN_MS,
    );
  });
}

/** Where a picture of what is seen is now. */
async function pictureOf({ browser }: BrowserVisit, name: string): Promise<string> {
  try {
    const file = join(PICTURES, `${name}.png`);
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(file, await browser.screenshot());
    return file;
  } catch (failure) {
    return `no picture can be taken: ${String(failure)}`;
  }
}
