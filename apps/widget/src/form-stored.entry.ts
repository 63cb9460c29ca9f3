// What a page loads where its checkout offers stored accounts.
import { offerForm } from './form-script.js';
import { storedForm } from './stored-form.js';

offerForm(storedForm);
