/** By what rules of risk know a shopper's device, the first one that is sent (Interface 2.9). */
export const deviceNames = [
  'customer.browserFingerprint.value',
  'customer.browser.deviceId',
  'customer.app.deviceId',
] as const;
