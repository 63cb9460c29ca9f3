/** By which the gateway is told, and tells the provider, in which way the shopper wants to be asked. */
export const MODE_PARAMETER = 'customParameters[SHOPPER_paymentMode]';
