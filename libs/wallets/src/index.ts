export {
  type ApplePayMerchant,
  type ApplePayRecipient,
  applePayRecipient,
  openApplePayToken,
} from './apple-pay.js';
export {
  type ClickToPayRecipient,
  clickToPayRecipient,
  openClickToPayToken,
  type SrcSystem,
  srcSystems,
} from './click-to-pay.js';
export { type GooglePayRecipient, googlePayRecipient, openGooglePayToken } from './google-pay.js';
export {
  openSamsungPayToken,
  type SamsungPayRecipient,
  samsungPayRecipient,
} from './samsung-pay.js';
export { TOKEN_LENGTH_MAX } from './token-text.js';
export {
  type Refused,
  type WalletCard,
  type WalletOpening,
  type WalletRefusal,
  walletRefusals,
} from './wallet-card.js';
