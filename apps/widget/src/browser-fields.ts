import type { PostedField } from './posted-fields.js';

/**
 * What an issuer wants to know of a browser before it answers (Interface 2.9), as far as a page alone knows
 * it: the gateway reads the rest in the request's headers. By the standard, no browser says that it runs Java.
 */
export function browserFields(): readonly PostedField[] {
  const { width, height, colorDepth } = screen;
  return Object.entries({
    language: navigator.language,
    screenWidth: width,
    screenHeight: height,
    screenColorDepth: colorDepth,
    timezone: new Date().getTimezoneOffset(),
    javaEnabled: false,
  }).map(([name, value]) => [`customer.browser.${name}`, String(value)]);
}
