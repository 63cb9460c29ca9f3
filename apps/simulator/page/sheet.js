// The sheet of a wallet, as plain as can be. Pages load each of the other scripts here by one classic script
// element, in which the simulator has put this one before it.

/**
 * @typedef {object} Sheet
 * @property {() => void} ready the shopper may pay
 * @property {(text: string) => void} waits something is under way
 * @property {() => void} close
 *
 * @typedef {object} SheetParts
 * @property {string} wallet as people call it
 * @property {string} payee
 * @property {string} amount with its currency
 * @property {readonly (readonly [choice: string, text: string])[]} choices the first is the usual one
 * @property {(choice: string) => void} onChoice
 * @property {() => void} onCancel
 */

const SHEET_STYLE = `
  dialog { box-sizing: border-box; width: min(24rem, 100% - 2rem); padding: 1.25rem; border: 0;
    border-radius: 0.75rem; color: #1a1a1a; background: #fff; color-scheme: light;
    font: 1rem/1.5 system-ui, sans-serif; box-shadow: 0 1rem 3rem rgb(0 0 0 / 40%) }
  dialog::backdrop { background: rgb(0 0 0 / 50%) }
  h2 { margin: 0; font-size: 1.125rem }
  p { margin: 0.25rem 0; color: #595959 }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; margin: 1rem 0 }
  dt { color: #595959 }
  dd { margin: 0; text-align: end; font-weight: 600; overflow-wrap: anywhere }
  button { box-sizing: border-box; width: 100%; min-height: 2.75rem; margin-top: 0.5rem; border: 1px solid #767676;
    border-radius: 0.5rem; color: #1a1a1a; background: #fff; font: inherit; cursor: pointer }
  button.main { border-color: #1a1a1a; color: #fff; background: #1a1a1a }
  button:disabled { border-color: #8a8a8a; color: #595959; background: #eee; cursor: default }
  button:focus-visible { outline: 3px solid #1d70b8; outline-offset: 2px }
`;

/** The shopper cannot pay on it yet. @param {SheetParts} parts @returns {Sheet} */
export function openSheet({ wallet, payee, amount, choices, onChoice, onCancel }) {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const style = new CSSStyleSheet();
  style.replaceSync(SHEET_STYLE);
  root.adoptedStyleSheets = [style];
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'wallet');
  dialog.lang = 'en';
  dialog.dir = 'ltr';
  const heading = element('h2', `${wallet}, simulated`);
  heading.id = 'wallet';
  const facts = element('dl');
  facts.append(element('dt', 'Pay to'), element('dd', payee));
  facts.append(element('dt', 'Amount'), element('dd', amount));
  const status = element('p', 'One moment.');
  status.setAttribute('role', 'status');
  const pay = choices.map(([choice, text], at) => {
    const button = element('button', text);
    if (at === 0) button.className = 'main';
    button.addEventListener('click', () => onChoice(choice));
    return button;
  });
  const cancel = element('button', 'Cancel');
  cancel.addEventListener('click', onCancel);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    if (!cancel.disabled) onCancel();
  });
  dialog.append(heading, element('p', 'No money moves.'), facts, status, ...pay, cancel);
  root.append(dialog);
  document.body.append(host);
  /** @param {boolean} isOn */
  const allow = (isOn) => {
    for (const button of pay) button.disabled = !isOn;
  };
  allow(false);
  dialog.showModal();
  return {
    ready: () => {
      status.textContent = 'A test card of Visa pays.';
      allow(true);
      pay[0]?.focus();
    },
    waits: (text) => {
      status.textContent = text;
      allow(false);
      cancel.disabled = true;
    },
    close: () => host.remove(),
  };
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [text]
 */
export function element(name, text = '') {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/**
 * A new token of the simulator.
 * @param {string} base the address of its wallets, with a slash at the end
 * @param {string} wallet
 * @param {Record<string, string>} fields
 * @returns {Promise<string>}
 */
export async function newToken(base, wallet, fields) {
  const body = new URLSearchParams(fields);
  const response = await fetch(new URL(wallet, base), { method: 'POST', body });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** As wallets have it: whoever opens a sheet has just been told to by the shopper. */
export function hasGesture() {
  const { userActivation } = /** @type {{ userActivation?: { isActive: boolean } }} */ (navigator);
  return userActivation?.isActive ?? true;
}

/** Where this script is. */
export function ownAddress() {
  return document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';
}
