/**
 * By the names of their files, what the browser checks further forms by. The bundle puts it here, once
 * it has them (tools/bundle.mjs): the widget itself is checked by the loader.
 */
export const formIntegrity: Readonly<Record<string, string>> = {};
