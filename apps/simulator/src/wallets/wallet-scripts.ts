import { readFileSync } from 'node:fs';

/** The scripts that pages load, each of which shows the sheet. */
export const walletScriptNames = ['apple-pay.js', 'google-pay.js', 'click-to-pay.js'] as const;
const SHEET = 'sheet.js';
/** They stand on one line each. */
const IMPORT = /^import .*\n/gm;
const EXPORT = /^export /gm;

/**
 * By name. Pages load them as the providers' own, by classic script elements, so each is one text with
 * what it imports, in a function that leaves no name on the page.
 */
export function walletScripts(): ReadonlyMap<string, string> {
  const sheet = pageFile(SHEET).replaceAll(EXPORT, '');
  return new Map(
    walletScriptNames.map((name) => [
      name,
      `(() => {\n${sheet}${pageFile(name).replaceAll(IMPORT, '')}})();\n`,
    ]),
  );
}

function pageFile(name: string): string {
  return readFileSync(new URL(`../../page/${name}`, import.meta.url), 'utf8');
}
