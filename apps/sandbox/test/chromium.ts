import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { requirePrerequisite } from '@sluice/prerequisites';

/** For root, without a graphics card, and without what it would ask its makers at the start. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The machine's own Chromium; one sentence where there is none. */
const executablePath = await requirePrerequisite('chromium');

/** It, with nobody before it. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

/** What axe finds on a page, in short. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
