import { type Browser, firefox } from 'playwright-core';
import { requirePrerequisite } from '@sluice/prerequisites';

/** The machine's own Firefox; one sentence where there is none. */
const executablePath = await requirePrerequisite('firefox');

/** What WebDriver BiDi of today cannot do otherwise. */
const PREFERENCES = {
  // Keys go to the process of the page alone, and frames of other sites would be in others.
  'fission.webContentIsolationStrategy': 0,
  // Of a page that comes back as it was, Playwright is told nothing and waits for ever.
  'browser.sessionhistory.max_total_viewers': 0,
} as const;

/** It, with nobody before it, and as it is sold: Playwright's own Firefox is a changed one. */
export async function startFirefox(): Promise<Browser> {
  return firefox.launch({
    ...{ executablePath, channel: 'moz-firefox', firefoxUserPrefs: PREFERENCES },
  });
}
