import type { ComponentChildren } from 'preact';
import type { jsx as preactJsx } from 'preact/jsx-runtime';

/**
 * What the views of forms with a script of their own are compiled to, in the place of Preact's own module
 * of this kind (tools/bundle.mjs): the widget's Preact, so that it does not come again with each of them.
 */
export type Jsx = typeof preactJsx;

let lent: Jsx | undefined;

/** Before anything is rendered. */
export function lendJsx(jsx: Jsx): void {
  lent = jsx;
}

/** An element of a view, as the compiler asks for it. */
export const jsx = ((...of: Parameters<Jsx>) => lent?.(...of)) as Jsx;
export { jsx as jsxs };

/** Elements without one around them. */
export function Fragment({ children }: { readonly children?: ComponentChildren }) {
  return children;
}
