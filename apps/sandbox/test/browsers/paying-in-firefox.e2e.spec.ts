import { startFirefox } from './firefox.js';
import { PlaywrightBrowser } from './playwright-browser.js';
import { shoppersPayIn } from './shoppers-pay.js';

shoppersPayIn('Firefox', async () => new PlaywrightBrowser(await startFirefox()));
