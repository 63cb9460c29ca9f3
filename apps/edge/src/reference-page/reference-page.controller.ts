import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { openApiDocument } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JSON_CONTENT_TYPE } from '../answer.js';
import { WRONG_URL } from '../errors.filter.js';
import { OpenToEverybody } from '../route-access.js';
import { documentPage } from './document-pages.js';
import { operationsPage, referencePage } from './reference-page.js';
import { pagePaths } from './reference-page-frame.js';
import { sendFile, servedFile, type ServedFile } from './reference-page-file.js';
import { resultCodesPage } from './result-codes-page.js';
import { type DemoChannel } from './try-panel.js';
import { loggedPath, RequestPipeline } from '../request-pipeline.js';
import type { GatewayEnvironment } from '@sluice/service';

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
export class ReferencePages {
  readonly #files = new Map<string, Promise<ServedFile>>();
  readonly #makers: ReadonlyMap<string, () => Promise<ServedFile>>;

  constructor(environment: GatewayEnvironment, demo: DemoChannel | undefined) {
    // Whatever a live installation was told about a demo channel, it shows none.
    const shown = environment === 'test' ? demo : undefined;
    this.#makers = new Map<string, () => Promise<ServedFile>>([
      [pagePaths.document, openApiFile],
      [
        pagePaths.reference,
        () => servedFile(referencePage(environment, shown), pageHeaders(OWN_PAGE_POLICY)),
      ],
      [pagePaths.operations, () => servedFile(operationsPage(), pageHeaders(PAGE_POLICY))],
      [pagePaths.resultCodes, () => servedFile(resultCodesPage(), pageHeaders(OWN_PAGE_POLICY))],
      ...[pagePaths.interface, pagePaths.wireContract].map(
        (path) =>
          [
            path,
            async () => servedFile(await documentPage(path), pageHeaders(OWN_PAGE_POLICY)),
          ] as const,
      ),
      [pagePaths.style, () => own('reference-page.css', STYLE)],
      ...ownModules.map((name) => [`/docs/${name}`, () => own(name, SCRIPT)] as const),
      ['/docs/leven.js', () => ofLibrary('leven', SCRIPT)],
      [pagePaths.operationsStyle, () => own('operations-page.css', STYLE)],
      [pagePaths.operationsScript, () => own('operations-page.js', SCRIPT)],
      [pagePaths.swaggerStyle, () => ofLibrary('swagger-ui-dist/swagger-ui.css', STYLE)],
      [pagePaths.swaggerScript, () => ofLibrary('swagger-ui-dist/swagger-ui-bundle.js', SCRIPT)],
    ]);
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

/** The description of the interface and the pages that show it, open to everybody. */
@Controller()
export class ReferencePageController {
  constructor(
    private readonly pipeline: RequestPipeline,
    private readonly pages: ReferencePages,
  ) {}

  @Get('openapi.json')
  @OpenToEverybody()
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#send(request, reply, pagePaths.document);
  }

  /** Whoever types the address alone finds the way. */
  @Get()
  @OpenToEverybody()
  home(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    void reply.redirect(pagePaths.reference, 302);
    this.#note(request, reply, 302);
  }

  @Get('docs')
  @OpenToEverybody()
  reference(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#send(request, reply, pagePaths.reference);
  }

  @Get('docs/:file')
  @OpenToEverybody()
  part(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('file') file: string,
  ): Promise<void> {
    return this.#send(request, reply, `/docs/${file}`);
  }

  async #send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    const file = await this.pages.file(path);
    if (file === undefined) {
      this.pipeline.refuse(request, reply, WRONG_URL);
      return;
    }
    this.#note(request, reply, sendFile(request, reply, file));
  }

  #note(request: FastifyRequest, reply: FastifyReply, status: number): void {
    const done = {
      method: request.method,
      path: loggedPath(request.url),
      status,
      resultCode: codes.requestSuccessful,
      durationMs: Math.round(reply.elapsedTime * 100) / 100,
      ndc: this.pipeline.stamp().ndc,
    };
    this.pipeline.note(done, request.routeOptions.url);
  }
}

/** By the rules of OpenAPI, `/` is wherever the document was read from. */
const SERVER = { url: '/', description: 'This installation' };

function openApiFile(): Promise<ServedFile> {
  return servedFile(JSON.stringify(openApiDocument(SERVER)), {
    'content-type': JSON_CONTENT_TYPE,
    'access-control-allow-origin': '*',
  });
}

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

function pageHeaders(policy: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
  };
}

/** A file beside the compiled code; scripts and styles are not compiled. */
async function own(name: string, type: string): Promise<ServedFile> {
  return servedFile(await readFile(new URL(`../../page/${name}`, import.meta.url)), {
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
