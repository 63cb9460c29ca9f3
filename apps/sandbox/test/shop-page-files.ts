import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { shopPageFiles } from '../../../tools/widget-reference.mjs';
import { type Body, entityId } from './demo-merchant-fixture.js';
import type { ShopAddresses } from './form-page.js';

/** What shops bring themselves, by name: the package, and its file for pages, which none exports. */
const LIBRARIES: ReadonlyMap<string, readonly [packageName: string, file: string]> = new Map([
  ['jquery.min.js', ['jquery', 'dist/jquery.min.js']],
  ['react.development.js', ['react', 'umd/react.development.js']],
  ['react-dom.development.js', ['react-dom', 'umd/react-dom.development.js']],
  ['vue.global.prod.js', ['vue', 'dist/vue.global.prod.js']],
]);
const { resolve } = createRequire(import.meta.url);

/** The file of a library that a page loads by this address. */
export function libraryAt(url: string): string {
  const name = url.split('/').at(-1) ?? '';
  const [packageName, file] = LIBRARIES.get(name) ?? [];
  if (packageName === undefined || file === undefined) throw new Error(`There is no ${name}.`);
  return join(dirname(resolve(`${packageName}/package.json`)), file);
}

/** A page that is written as shops write theirs, by the name of its file without the ending. */
export function shopPageText(name: string): string {
  const file = shopPageFiles().find((page) => page.name === name);
  if (file === undefined) throw new Error(`There is no page ${name}.`);
  return file.text;
}

/** The same for a checkout, as the shop's server fills it in. */
export function filledPage(
  text: string,
  {
    id,
    ndc,
    integrity,
  }: Pick<Body, 'id'> & { readonly ndc?: unknown; readonly integrity?: unknown },
  { gateway, resultUrl }: ShopAddresses,
): string {
  const words: Readonly<Record<string, unknown>> = {
    ...{ id, ndc, integrity, entityId, base: gateway },
    ...{ idEncoded: id.replaceAll('.', '%2E'), shopperResultUrl: resultUrl },
  };
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, word: string) => {
    if (!Object.hasOwn(words, word)) throw new Error(`Nothing is known of ${word}.`);
    return String(words[word]);
  });
}
