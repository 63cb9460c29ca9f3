import { approved, id, initiate, refer } from './payment-fixture.js';

export const authorized = approved(initiate('authorization', 10_000));
export const captured = [...authorized, ...approved(refer('capture', id(2), id(1), 6_000))];
export const debited = approved(initiate('debit', 10_000));
