/**
 * An element that the page has.
 * @template {HTMLElement} Type
 * @param {string} id
 * @param {new () => Type} type
 * @returns {Type}
 */
export function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}.`);
  return found;
}

/**
 * JSON that the page brings for its script; nothing where the page has none.
 * @param {string} id @returns {unknown}
 */
export function broughtData(id) {
  const block = document.getElementById(id);
  return block === null ? undefined : JSON.parse(block.textContent);
}
