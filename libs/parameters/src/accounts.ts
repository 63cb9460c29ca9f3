// Which accounts brands are paid from, for forms in browsers: the tables of the server itself.
export { type BankMethod, bankMethodOf } from './bank-methods.js';
export { isVirtualAccountBrand } from './virtual-account-brands.js';
