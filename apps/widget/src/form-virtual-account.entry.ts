// What a page loads where it has a brand of this form.
import { virtualAccount } from './virtual-account.js';
import { offerForm } from './form-script.js';

offerForm(virtualAccount);
