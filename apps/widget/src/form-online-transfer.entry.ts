// What a page loads where it has a brand of this form.
import { onlineTransfer } from './online-transfer.js';
import { offerForm } from './form-script.js';

offerForm(onlineTransfer);
