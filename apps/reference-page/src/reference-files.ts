import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { openApiDocument } from '@sluice/parameters';
import type { GatewayEnvironment } from '@sluice/service';
import { documentPage } from './document-pages.js';
import { operationsPage, referencePage, type TryForm } from './reference-page.js';
import { pagePaths } from './reference-page-frame.js';
import { servedFile, type ServedFile } from './reference-page-file.js';
import { resultCodesPage } from './result-codes-page.js';
import { type DemoChannel } from './try-panel.js';

/** Scripts beside the compiled code, which import one another. */
const ownModules = [
  'reference-page.js',
  'request-form.js',
  'result-codes-page.js',
  'search-form.js',
  'search.js',
  'code-tabs.js',
  'code-samples.js',
  'page-element.js',
] as const;

/** What the reference is made for. */
export interface ReferenceOptions {
  readonly environment: GatewayEnvironment;
  /** Whether the interface answers at the same address, so that the page may send requests to it. */
  readonly isBesideInterface: boolean;
  /** A channel that anybody may pay with. */
  readonly demo?: DemoChannel | undefined;
}

/** Everything that is served, each file made when it is first asked for. */
export class ReferenceFiles {
  readonly #files = new Map<string, Promise<ServedFile>>();
  readonly #makers: ReadonlyMap<string, () => Promise<ServedFile>>;

  constructor(options: ReferenceOptions) {
    this.#makers = new Map<string, () => Promise<ServedFile>>([
      [pagePaths.document, () => openApiFile(options)],
      [pagePaths.reference, () => ownPage(referencePage(formOf(options)))],
      [pagePaths.operations, () => servedFile(operationsPage(), pageHeaders(PAGE_POLICY))],
      [pagePaths.resultCodes, () => ownPage(resultCodesPage(options.isBesideInterface))],
      [pagePaths.interface, async () => ownPage(await documentPage(pagePaths.interface))],
      [pagePaths.wireContract, async () => ownPage(await documentPage(pagePaths.wireContract))],
      [pagePaths.style, () => own('reference-page.css', STYLE)],
      ...ownModules.map((name) => [`/docs/${name}`, () => own(name, SCRIPT)] as const),
      ['/docs/leven.js', () => ofLibrary('leven', SCRIPT)],
      [pagePaths.operationsStyle, () => own('operations-page.css', STYLE)],
      [pagePaths.operationsScript, () => own('operations-page.js', SCRIPT)],
      [pagePaths.swaggerStyle, () => ofLibrary('swagger-ui-dist/swagger-ui.css', STYLE)],
      [pagePaths.swaggerScript, () => ofLibrary('swagger-ui-dist/swagger-ui-bundle.js', SCRIPT)],
    ]);
  }

  /** Where there is a file. */
  get paths(): readonly string[] {
    return [...this.#makers.keys()];
  }

  /** The file at a path, made when it is first asked for; undefined where there is none. */
  async file(path: string): Promise<ServedFile | undefined> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const making = this.#makers.get(path)?.();
    if (making === undefined) return undefined;
    this.#files.set(path, making);
    // What could not be read now is tried again when it is asked for again.
    making.catch(() => this.#files.delete(path));
    return making;
  }
}

/** Live installations have no form: it would move money. Whatever one was told of a channel, it shows none. */
function formOf({ environment, isBesideInterface, demo }: ReferenceOptions): TryForm {
  if (environment === 'live') return 'noneOnLive';
  return isBesideInterface ? { demo } : 'noneElsewhere';
}

/** By the rules of OpenAPI, `/` is wherever the document was read from. */
const SERVER = { url: '/', description: 'This installation' };

function openApiFile({ isBesideInterface }: ReferenceOptions): Promise<ServedFile> {
  const document = isBesideInterface ? openApiDocument(SERVER) : openApiDocument();
  return servedFile(JSON.stringify(document), {
    'content-type': JSON_CONTENT_TYPE,
    'access-control-allow-origin': '*',
  });
}

const JSON_CONTENT_TYPE = 'application/json;charset=UTF-8';
const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Nothing from elsewhere, nothing inline, nothing evaluated; Swagger UI lives with that. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
/** Our own script makes no markup of texts; the library does, of a document that is ours. */
const OWN_PAGE_POLICY = [...PAGE_POLICY, "require-trusted-types-for 'script'"];

function ownPage(text: string): Promise<ServedFile> {
  return servedFile(text, pageHeaders(OWN_PAGE_POLICY));
}

function pageHeaders(policy: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
  };
}

/** A file beside the compiled code; scripts and styles are not compiled. */
async function own(name: string, type: string): Promise<ServedFile> {
  return servedFile(await readFile(new URL(`../page/${name}`, import.meta.url)), {
    'content-type': type,
  });
}

const require = createRequire(import.meta.url);

/** A file as the package of a library has it. */
async function ofLibrary(name: string, type: string): Promise<ServedFile> {
  return servedFile(await readFile(require.resolve(name)), {
    'content-type': type,
  });
}
