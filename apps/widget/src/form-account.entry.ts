// What a page loads where it has a brand whose form says an account, beside what is its own in that form.
import { accountForm } from './account-form.js';
import { offerForm } from './form-script.js';

offerForm(accountForm);
