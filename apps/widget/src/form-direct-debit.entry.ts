// What a page loads where it has a brand of this form.
import { directDebit } from './direct-debit.js';
import { offerForm } from './form-script.js';

offerForm(directDebit);
