// What a page loads where it has a brand of this form.
import { clickToPayForm } from './click-to-pay.js';
import { offerForm } from './form-script.js';

offerForm(clickToPayForm);
