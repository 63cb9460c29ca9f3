/**
 * What is there and not shown, as an element's own style: the attribute `hidden` is undone by any rule of
 * the shop's own for the class, as `.wpwl-container{display:block}`. What a shop shows by its script, it
 * still shows.
 */
export const AWAY = { display: 'none' } as const;

/** Shows an element of the page, or does not. */
export function setShown({ style }: HTMLElement, isShown: boolean): void {
  style.display = isShown ? '' : AWAY.display;
}
