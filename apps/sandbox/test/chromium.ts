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

/**
 * What axe finds on a page without frames, in short. For such a page its legacy mode is the same
 * check, without carrying what every element passed to a second page; nor is that described at all.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const frames = page.frames().length;
  if (frames > 1)
    throw new Error(`A page in ${String(frames)} frames, of which only one would be checked.`);
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
