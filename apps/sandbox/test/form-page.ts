/** A card that is approved, unless its holder is a result code. */
export const CARD = {
  ...{ number: '4200000000000000', expiry: '0534', holder: 'Jane Jones', code: '123' },
} as const;

/** How a page of a shop has the widget. */
export interface ShopPage {
  /** JavaScript: what `wpwlOptions` is. */
  readonly options?: string;
  readonly brands?: string;
  /** For a checkout that only stores. */
  readonly isRegistration?: boolean;
  /** What stands before the script. */
  readonly head?: string;
  /** Attributes of both scripts. */
  readonly attributes?: string;
  /** Attributes of the form. */
  readonly form?: string;
  /** What is inside of the form. */
  readonly formText?: string;
}

/** What a page of a shop needs to know. */
export interface ShopAddresses {
  /** Without a slash at the end. */
  readonly gateway: string;
  readonly resultUrl: string;
}

/** The page of a shop that has the widget for a checkout. */
export function formPage(id: string, addresses: ShopAddresses, page: ShopPage = {}): string {
  const suffix = page.isRegistration === true ? '/registration' : '';
  const script = `${addresses.gateway}/v1/paymentWidgets.js?checkoutId=${id}${suffix}`;
  const { brands = 'VISA MASTER AMEX', form = `data-brands="${brands}"`, head = '' } = page;
  const { attributes = '' } = page;
  return `<!doctype html><html lang="en"><title>Shop</title>${head}
    <script ${attributes}>var wpwlOptions = ${page.options ?? '{}'};</script>
    <script src="${script}" ${attributes}></script>
    <h1>Checkout</h1>
    <form action="${addresses.resultUrl}" class="paymentWidgets" ${form}>${page.formText ?? ''}</form>`;
}
