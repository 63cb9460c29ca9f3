import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { WidgetFile } from './widget-files.js';
import { widgetCheckout, widgetScript } from './widget-script.js';
import type { WidgetVersions } from './widget-versions.js';

/** Where one of the files is asked for. */
interface FileName {
  readonly Params: { readonly version: string; readonly name: string };
}

/**
 * The widget (Interface 4, page 0065), for everybody:
 *
 * - `GET /v1/paymentWidgets.js?checkoutId=…`: the loader of one checkout; whether there is such a checkout,
 *   the form says when it is sent.
 * - `GET /v1/widget/<version>/<name>`: the files that it brings, which never change.
 */
export function widgetRoutes(versions: () => WidgetVersions): FastifyPluginCallback {
  return (server, _options, done) => {
    server.get('/v1/paymentWidgets.js', (request, reply) => sendLoader(versions(), request, reply));
    server.get<FileName>('/v1/widget/:version/:name', (request, reply) =>
      sendNamed(versions(), request, reply),
    );
    done();
  };
}

/** Any page may read them, and show them beside what it has isolated. */
const FOR_PAGES = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;
const NOT_KEPT = { 'cache-control': 'no-store' } as const;
/** Asked for each time, because the next version may be there. */
const KEPT_AND_ASKED = { 'cache-control': 'public, no-cache' } as const;
const KEPT_FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' } as const;
const SCRIPT = { 'content-type': 'text/javascript; charset=utf-8' } as const;

/**
 * Nothing of the request is in it (S-WEB-01). Browsers run nothing that comes with an error's status, and
 * the page is to hear of it as of any other checkout that there is not.
 */
const NO_CHECKOUT = `(()=>{
const error=new Error('checkoutId is the id of a checkout, or that and /registration.');
error.name='InvalidCheckoutIdError';
const onError=window.wpwlOptions?.onError;
if(typeof onError==='function')onError(error);else console.error('Sluice: '+error.message);
})();
`;
const NOT_THERE = '// There is no such file.\n';
const NOT_NOW = '// The payment form cannot be loaded right now.\n';

/** What the frames may do: run their own script, be styled by their own style, and send to the gateway. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** By the ends of their names. */
const TYPES: readonly (readonly [ending: string, headers: Readonly<Record<string, string>>])[] = [
  ['.js', SCRIPT],
  ['.css', { 'content-type': 'text/css; charset=utf-8' }],
  ['.json', { 'content-type': 'application/json; charset=utf-8' }],
  [
    '.html',
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': FRAME_POLICY,
      'referrer-policy': 'no-referrer',
      // A page that has isolated itself shows no frame without it.
      'cross-origin-embedder-policy': 'require-corp',
    },
  ],
];

async function sendLoader(
  versions: WidgetVersions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const checkout = widgetCheckout(request.url);
  if (checkout === undefined) return refuse(reply, 200, NO_CHECKOUT);
  const found = await versions.of(checkout.id).catch(() => undefined);
  if (found === undefined) return refuse(reply, 503, NOT_NOW);
  const tag = `"${found.version}-${checkout.purpose}-${checkout.id}"`;
  void reply.headers({ ...FOR_PAGES, ...KEPT_AND_ASKED, ...SCRIPT, etag: tag });
  if (isKnown(request, tag)) return reply.code(304).send();
  return reply.send(widgetScript(found, checkout));
}

async function sendNamed(
  versions: WidgetVersions,
  request: FastifyRequest<FileName>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { version, name } = request.params;
  const found = await versions.named(version).catch(() => 'not now' as const);
  if (found === 'not now') return refuse(reply, 503, NOT_NOW);
  const file = found?.files.get(name);
  const type = TYPES.find(([ending]) => name.endsWith(ending))?.[1];
  if (file === undefined || type === undefined) return refuse(reply, 404, NOT_THERE);
  const { encoding, bytes } = formFor(request, file);
  const tag = `"${version}-${name}${encoding === undefined ? '' : `-${encoding}`}"`;
  void reply.headers({
    ...{ ...FOR_PAGES, ...KEPT_FOR_EVER, ...type, etag: tag, vary: 'accept-encoding' },
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  });
  if (isKnown(request, tag)) return reply.code(304).send();
  return reply.send(bytes);
}

/** The smallest form that the asker reads. */
function formFor(
  { headers }: FastifyRequest<FileName>,
  { plain, brotli, gzip }: WidgetFile,
): { readonly encoding: 'br' | 'gzip' | undefined; readonly bytes: Buffer } {
  const accepted = [headers['accept-encoding']].join();
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted))
    return { encoding: 'br', bytes: brotli };
  if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)) {
    return { encoding: 'gzip', bytes: gzip };
  }
  return { encoding: undefined, bytes: plain };
}

function isKnown({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',');
  return known.some((one) => one.trim().replace(/^W\//, '') === tag);
}

function refuse(reply: FastifyReply, status: 200 | 404 | 503, text: string): FastifyReply {
  return reply
    .code(status)
    .headers({ ...FOR_PAGES, ...NOT_KEPT, ...SCRIPT })
    .send(text);
}
