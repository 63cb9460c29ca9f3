/** By this function of its window, a page tells what takes effect on it. */
export const TELLS_SIGN = 'tellSign';

/**
 * What runs before anything else of a page, and tells of each thing once that the widget does there:
 * `class wpwl-hint`, `brand VISA`, `option locale` once it is read, `callback onReady` once it is called,
 * `error WidgetError`, `global unload`. The page's own code sees no difference.
 */
export const SIGNS = `{
  const told = new Set();
  const tell = (sign) => {
    if (told.has(sign)) return;
    told.add(sign);
    window.${TELLS_SIGN}(sign);
  };
  const watched = (object, kind) => new Proxy(object, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof name !== 'string') return value;
      if (typeof value !== 'function') { tell((kind === 'callback' ? 'option ' : kind + ' ') + name); return value; }
      return function (...words) {
        tell(kind + ' ' + name);
        if (name === 'onError') tell('error ' + words[0].name);
        const answer = value.apply(this, words);
        // It has deleted the name that is watched.
        if (name === 'unload') watch('wpwl', 'global');
        return answer;
      };
    },
  });
  const watch = (name, kind) => {
    if (Object.getOwnPropertyDescriptor(window, name)?.get !== undefined) return;
    let value = window[name];
    Object.defineProperty(window, name, {
      configurable: true,
      get: () => (value === undefined ? undefined : watched(value, kind)),
      set: (given) => { value = given; tell('global ' + name); },
    });
  };
  watch('wpwlOptions', 'callback');
  watch('wpwl', 'global');
  const look = (element) => {
    for (const name of element.classList) {
      if (!name.startsWith('wpwl-')) continue;
      tell('class ' + name);
      if (/^wpwl-brand-[A-Z]/.test(name)) tell(name.replace('wpwl-brand-', 'brand '));
      // A wallet is its button, which has its name on it.
      if (/^wpwl-button-pay-[A-Z]/.test(name)) tell(name.replace('wpwl-button-pay-', 'brand '));
    }
    if (element.matches('.wpwl-control-brand option')) tell('brand ' + element.value);
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of [target, ...addedNodes]) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        for (const element of [node, ...node.querySelectorAll('[class*="wpwl-"], option')]) look(element);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['class', 'value'] });
}`;
