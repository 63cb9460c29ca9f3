import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Linux distributions and CI images put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

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

/** The machine's own Chromium, with nobody before it. */
export async function startChromium(): Promise<Browser> {
  const named = process.env['CHROMIUM_PATH'];
  const executablePath = named ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error('Install Chromium (apt-get install chromium), or name one in CHROMIUM_PATH.');
  }
  return chromium.launch({ executablePath, args: FLAGS });
}
