/**
 * The wallets of Interface 2.5, as parameters name them (D-53), and the brands of payments with them. Click
 * to Pay is in the interface family's form, and not in the interface (page 0070).
 */
export const walletBrands = {
  applePay: 'APPLEPAY',
  googlePay: 'GOOGLEPAY',
  samsungPay: 'SAMSUNGPAY',
  clickToPay: 'CLICK_TO_PAY',
} as const;

/** One of them. */
export type WalletName = keyof typeof walletBrands;

/** All of them. */
export const walletNames = Object.keys(walletBrands) as readonly WalletName[];

/** Whose number a card has: its own, or one that its network gave a device (Interface 2.4). */
export const numberTypes = ['PAN', 'DPAN'] as const;

/** One of them. */
export type NumberType = (typeof numberTypes)[number];
