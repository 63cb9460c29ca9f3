const { submit, email, wallets } = document.currentScript?.dataset ?? {};
// Both are read when the gateway's script runs, so this one stands before it.
/** @type {{ wpwlOptions?: object }} */ (window).wpwlOptions = {
  style: 'plain',
  locale: 'en',
  labels: { submit },
  ...(wallets !== undefined && {
    applePay: { displayName: wallets },
    googlePay: { merchantName: wallets },
    // The gateway tells no address to a page.
    clickToPay: { displayName: wallets, email },
  }),
};

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('.copy') : null;
  if (!(button instanceof HTMLElement)) return;
  const text = button.dataset['copy'] ?? '';
  void navigator.clipboard.writeText(text).then(() => {
    for (const each of document.querySelectorAll('.copy')) each.classList.remove('copied');
    button.classList.add('copied');
    button.setAttribute('aria-label', `Copied ${text}`);
  });
});
