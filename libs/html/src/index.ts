export { Html, html, jsonBlock, withCode } from './html.js';
export { type PageParts, type PlainPage, plainPage } from './plain-page.js';
