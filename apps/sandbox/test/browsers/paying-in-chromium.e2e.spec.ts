import { startChromium } from '../chromium.js';
import { PlaywrightBrowser } from './playwright-browser.js';
import { shoppersPayIn } from './shoppers-pay.js';

shoppersPayIn('Chromium', async () => new PlaywrightBrowser(await startChromium()));
