// What a page loads where it has a brand of this form.
import { googlePayForm } from './google-pay.js';
import { offerForm } from './form-script.js';

offerForm(googlePayForm);
