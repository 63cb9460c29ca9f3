import { shoppersPayIn } from './shoppers-pay.js';
import { startWebKit } from './webkit.js';

shoppersPayIn('WebKit', startWebKit);
