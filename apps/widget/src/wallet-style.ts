// As in the style of all forms, every selector is in `:where`, so that any rule of the shop's own wins.
const STYLE = `
:where(.wpwl-apple-pay-button,.wpwl-google-pay-button,.wpwl-click-to-pay-button){display:block;width:100%;min-height:3rem;border:1px solid #000;background:#000;color:#fff}
:where(.wpwl-apple-pay-button-white,.wpwl-apple-pay-button-white-outline){background:#fff;color:#000}
:where(.wpwl-apple-pay-button-white){border-color:#fff}
@supports (-webkit-appearance:-apple-pay-button){
:where(.wpwl-apple-pay-button){-webkit-appearance:-apple-pay-button;-apple-pay-button-style:black;border:0;font-size:0}
:where(.wpwl-apple-pay-button-white){-apple-pay-button-style:white}
:where(.wpwl-apple-pay-button-white-outline){-apple-pay-button-style:white-outline}
}
:where(.wpwl-click-to-pay-button){height:100%}
:where(.wpwl-click-to-pay-button svg){vertical-align:middle}
:where(.wpwl-wrapper-wallet){height:3rem}
:where(.wpwl-wrapper-wallet[inert]){opacity:.6}
`;

/** What wallets need beside the style of the page. */
export function walletSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  return sheet;
}
