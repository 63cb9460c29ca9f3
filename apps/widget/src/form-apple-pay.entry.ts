// What a page loads where it has a brand of this form.
import { applePayForm } from './apple-pay.js';
import { offerForm } from './form-script.js';

offerForm(applePayForm);
