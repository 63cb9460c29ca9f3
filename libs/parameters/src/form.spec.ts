import { describe, expect, it } from '@jest/globals';
import { emptyForm, Form } from './form.js';

describe('the structures of a form', () => {
  const names = ['amount', 'cart.items[0].name', 'card.number', 'cart.items[1].name', 'card.cvv'];
  const form = new Form(new Map(names.map((name) => [name, 'x'])));

  it('are what stands before the first dot, in the order of sending', () => {
    expect([...form.structures()]).toEqual(['cart', 'card']);
    expect(form.namesOf('cart')).toEqual(['cart.items[0].name', 'cart.items[1].name']);
    expect(form.namesOf('card')).toEqual(['card.number', 'card.cvv']);
  });

  it('have no names where nothing of them was sent', () => {
    expect(form.namesOf('customer')).toEqual([]);
    expect(form.namesOf('__proto__')).toEqual([]);
    expect([...emptyForm.structures()]).toEqual([]);
  });
});
