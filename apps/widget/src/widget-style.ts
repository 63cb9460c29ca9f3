// Every selector is in `:where`, so that any rule of the shop's own wins, wherever it stands. Colors are
// those of the page, light or dark, as its `color-scheme` says.

const LAYOUT = `
:where(.wpwl-container){max-width:30rem;margin:0 auto;font:inherit;color:inherit;text-align:start}
:where(.wpwl-container:has(.wpwl-popover)){max-width:600px}
:where(.wpwl-container+.wpwl-container){margin-block-start:1.5rem}
:where(.wpwl-group){margin-block-end:1rem}
:where(.wpwl-group-submit){margin-block-end:0}
:where(.wpwl-label){margin-block-end:.25rem;font-size:.875rem}
:where(.wpwl-wrapper){position:relative}
:where(.wpwl-control){box-sizing:border-box;display:block;width:100%;height:2.75rem;margin:0;padding:.5rem .75rem;border:1px solid color-mix(in srgb,currentcolor 45%,transparent);border-radius:.375rem;background:transparent;color:inherit;font:inherit;font-size:max(1rem,16px)}
:where(.wpwl-wrapper-billing+.wpwl-wrapper-billing){margin-block-start:1rem}
:where(label.wpwl-label){display:block}
:where(.wpwl-registration){display:grid;grid-template-columns:auto 1fr;gap:.125rem .75rem;align-items:center;margin-block-end:.75rem;padding:.75rem;border:1px solid color-mix(in srgb,currentcolor 45%,transparent);border-radius:.375rem;cursor:pointer}
:where(.wpwl-selected){border-color:#0b57d0;border-color:light-dark(#0b57d0,#a8c7fa);box-shadow:inset 0 0 0 1px light-dark(#0b57d0,#a8c7fa)}
:where(.wpwl-wrapper-registration-registrationId){grid-row:span 2}
:where(.wpwl-wrapper-registration-registrationId) :where(input){display:block;width:1.25rem;height:1.25rem;margin:0;accent-color:light-dark(#0b57d0,#a8c7fa)}
:where(.wpwl-wrapper-registration-brand){font-weight:600}
:where(.wpwl-wrapper-registration-details){display:flex;flex-wrap:wrap;gap:0 .75rem;min-width:0}
:where(.wpwl-wrapper-registration-holder){flex-basis:100%;font-size:.875rem;overflow-wrap:anywhere}
:where(.wpwl-wrapper-registration-cvv,.wpwl-wrapper-registration-delete){grid-column:1/-1;margin-block-start:.5rem}
:where(.wpwl-wrapper-radio){display:flex;gap:.5rem;align-items:center;min-height:2.75rem}
:where(.wpwl-control-radio){width:1.25rem;height:1.25rem;margin:0;accent-color:light-dark(#0b57d0,#a8c7fa)}
:where(.wpwl-brand-custom){font-weight:600}
:where(.wpwl-wrapper-mandate){font-size:.875rem}
:where(select.wpwl-control){appearance:auto}
:where(select.wpwl-control) :where(option){background:canvas;color:canvastext}
:where(.wpwl-control-expiry){text-align:start}
:where(.wpwl-control:focus-visible,.wpwl-control-focused){outline:2px solid #0b57d0;outline-color:light-dark(#0b57d0,#a8c7fa);outline-offset:1px}
:where(.wpwl-control.wpwl-has-error){border-color:#b3261e;border-color:light-dark(#b3261e,#f2b8b5);box-shadow:inset 0 0 0 1px light-dark(#b3261e,#f2b8b5)}
:where(.wpwl-hint){margin-block-start:.25rem;font-size:.875rem}
:where([class*='Error'].wpwl-hint,.wpwl-message-error){color:#b3261e;color:light-dark(#b3261e,#f2b8b5)}
:where([class*='Error'].wpwl-hint)::before{content:'\\26A0\\FE0E\\00A0'}
:where(.wpwl-message-error){margin-block-end:1rem;font-weight:600}
:where(.wpwl-button){box-sizing:border-box;width:100%;min-height:3rem;padding:.5rem 1rem;border:1px solid transparent;border-radius:.375rem;background:#0b57d0;color:#fff;font:inherit;font-weight:600;cursor:pointer}
:where(.wpwl-button-other){margin-block-start:.75rem;border-color:currentcolor;background:transparent;color:inherit}
:where(.wpwl-button-other:first-child){margin-block-start:0}
:where(.wpwl-button-delete){width:auto;min-height:2.75rem;border-color:currentcolor;background:transparent;color:inherit;font-weight:400}
:where(.wpwl-button:focus-visible){outline:2px solid #0b57d0;outline-color:light-dark(#0b57d0,#a8c7fa);outline-offset:2px}
:where(.wpwl-target){display:block;margin-inline:auto;border:0;box-shadow:0 0 0 1px color-mix(in srgb,currentcolor 25%,transparent)}
:where(.wpwl-spinner){margin-inline-end:.5rem;vertical-align:-.25em}
:where(.wpwl-label-summary){margin-block-end:.5rem;font-weight:600;outline:none}
:where(.wpwl-wrapper-summary){margin:0}
:where(.wpwl-summary){display:flex;justify-content:space-between;gap:0 1rem;padding-block:.5rem;border-block-start:1px solid color-mix(in srgb,currentcolor 25%,transparent)}
:where(.wpwl-summary) :where(dt){flex:none;max-width:50%;font-size:.875rem}
:where(.wpwl-summary) :where(dd){margin:0;text-align:end;overflow-wrap:anywhere}
:where(.wpwl-summary-amount) :where(dd){font-weight:600}
:where(.wpwl-button:disabled){opacity:.6;cursor:progress}
`;

/** The marks of brands: beside the list of them, and as the choice itself. */
const BRANDS = `
:where(.wpwl-mark){display:block;width:3.75rem;height:2.375rem}
:where(.wpwl-form-card) :where(.wpwl-group-brand){display:grid;grid-template-columns:1fr auto;gap:0 .75rem;align-items:start}
:where(.wpwl-form-card) :where(.wpwl-label-brand,.wpwl-wrapper-brandLogo){grid-column:1/-1}
:where(.wpwl-form-card) :where(.wpwl-brand-card){display:flex;align-items:center;min-height:2.75rem}
:where(.wpwl-brands){display:flex;flex-wrap:wrap;gap:.5rem}
:where(.wpwl-button-brand){position:relative;box-sizing:border-box;display:flex;align-items:center;justify-content:center;min-width:4.5rem;min-height:3.125rem;padding:.3125rem;border:1px solid color-mix(in srgb,currentcolor 45%,transparent);border-radius:.5rem;cursor:pointer}
:where(.wpwl-button-brand.wpwl-selected){border-color:#0b57d0;border-color:light-dark(#0b57d0,#a8c7fa)}
:where(.wpwl-button-brand:has(:focus-visible)){outline:2px solid #0b57d0;outline-color:light-dark(#0b57d0,#a8c7fa);outline-offset:1px}
:where(.wpwl-button-brand) :where(input){position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
`;

const CARD = `
:where(.wpwl-form){box-sizing:border-box;padding:1.25rem;border:1px solid color-mix(in srgb,currentcolor 25%,transparent);border-radius:.75rem}
`;

/** The style of a page, which needs no style element and so no allowance for one. */
export function styleSheetOf(style: 'card' | 'plain' | 'logos'): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAYOUT + BRANDS + (style === 'plain' ? '' : CARD));
  return sheet;
}
