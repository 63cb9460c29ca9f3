// What browsers check of a card before it is sent: the table and the rules of the server itself.
export { brandNamed, type CardBrand, cardBrands, isOfBrand } from './brands.js';
export { isExpired } from './card-expiry.js';
export { passesLuhn } from './luhn.js';
