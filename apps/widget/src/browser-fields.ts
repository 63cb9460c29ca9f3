import type { PostedField } from './posted-fields.js';

/** As the parameters have them: what a browser says otherwise is left out, and refuses no payment. */
const FORMS: readonly (readonly [name: string, value: () => unknown, form: RegExp])[] = [
  ['language', language, /./],
  ['screenWidth', () => screen.width, /^[0-9]{1,6}$/],
  ['screenHeight', () => screen.height, /^[0-9]{1,6}$/],
  ['screenColorDepth', () => screen.colorDepth, /^[0-9]{1,2}$/],
  ['timezone', () => new Date().getTimezoneOffset(), /^-?[0-9]{1,4}$/],
  // By the standard, no browser says that it runs Java.
  ['javaEnabled', () => false, /./],
];

/**
 * What an issuer wants to know of a browser before it answers (Interface 2.9), as far as a page alone knows
 * it: the gateway reads the rest in the request's headers.
 */
export function browserFields(): readonly PostedField[] {
  return FORMS.flatMap(([name, value, form]) => {
    const text = String(value());
    return form.test(text) ? [[`customer.browser.${name}`, text] as const] : [];
  });
}

/** Some browsers have none, or that of a system without one (`C`). */
function language(): string {
  return LANGUAGE.test(navigator.language) ? navigator.language : 'en';
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;
