import { describe, expect, it } from '@jest/globals';
import { newCheckoutId } from '@sluice/identifiers';
import { widgetCheckout, widgetScript } from './widget-script.js';

const id = newCheckoutId('sluice');
const at = (query: string) => widgetCheckout(`/v1/paymentWidgets.js${query}`);

describe('the checkout that a page loads the widget for', () => {
  it.each([
    [`?checkoutId=${id}`, 'payment'],
    [`?checkoutId=${id}/registration`, 'registration'],
    [`?checkoutId=${encodeURIComponent(`${id}/registration`)}`, 'registration'],
    [`?_=17&checkoutId=${id}&x=%3Cscript%3E`, 'payment'],
  ])('of %s is for a %s', (query, purpose) => {
    expect(at(query)).toEqual({ id, purpose });
  });

  it.each([
    '',
    '?',
    '?checkoutId=',
    '?checkoutid=x',
    '?checkoutId=short',
    `?checkoutId=${'A'.repeat(49)}`,
    `?checkoutId=${id}&checkoutId=${id}`,
    `?checkoutId=${id}/payment`,
    `?checkoutId=${id}/registration/registration`,
    `?checkoutId=${id}%22%29%3Balert(1)%2F%2F`,
    `?checkoutId=${id}%0a`,
    `?checkoutId=${id}</script>`,
    '?checkoutId=%E0%A4%A',
  ])('is none in %s', (query) => {
    expect(at(query)).toBeUndefined();
  });
});

describe('the script of a checkout', () => {
  const parts = { loader: 'told = sluiceStart;', version: 'abc', integrity: 'sha384-x' };

  it('is the loader with what it is bound to', () => {
    const text = widgetScript(parts, { id, purpose: 'registration' });
    expect(text).toBe(
      `(sluiceStart=>{told = sluiceStart;})({"id":"${id}","purpose":"registration","version":"abc","integrity":"sha384-x"});\n`,
    );
  });
});
