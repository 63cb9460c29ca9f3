import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** One file of the widget, in each form in which it may be sent. */
export interface WidgetFile {
  readonly plain: Buffer;
  readonly brotli: Buffer;
  readonly gzip: Buffer;
}

/** What the build has made of the widget (tools/bundle.mjs). */
export interface WidgetBundle {
  /** Of the content of all files. */
  readonly version: string;
  /** The script before which is put what it is bound to. */
  readonly loader: string;
  /** Of `widget.js`. */
  readonly integrity: string;
  readonly files: ReadonlyMap<string, WidgetFile>;
}

interface BundleIndex {
  readonly version: string;
  readonly templates: Readonly<Record<string, string>>;
  readonly integrity: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

/** The widget's files: read when the first shopper's browser asks for them, and kept. */
export class WidgetFiles {
  #reading: Promise<WidgetBundle> | undefined;

  /** @param folder with `bundle.json` in it */
  constructor(private readonly folder: URL) {}

  /** Rejects while they cannot be read; the next one who asks has them read again. */
  bundle(): Promise<WidgetBundle> {
    if (this.#reading !== undefined) return this.#reading;
    const reading = read(this.folder);
    this.#reading = reading;
    reading.catch(() => (this.#reading = undefined));
    return reading;
  }
}

async function read(folder: URL): Promise<WidgetBundle> {
  const text = await readFile(new URL('bundle.json', folder), 'utf8');
  const { version, templates, integrity, files } = JSON.parse(text) as BundleIndex;
  const { 'loader.js': loader } = templates;
  const { 'widget.js': ofWidget } = integrity;
  if (loader === undefined || ofWidget === undefined) {
    throw new TypeError('The bundle of the widget lacks a script.');
  }
  const found = await Promise.all(
    files.map(async (name) => [name, await fileIn(folder, `${version}/${name}`)] as const),
  );
  return { version, loader, integrity: ofWidget, files: new Map(found) };
}

/** All of a bundle as one text, from which another instance makes it again. */
export function widgetText({ version, loader, integrity, files }: WidgetBundle): string {
  const texts = [...files].map(([name, { plain }]) => [name, plain.toString()] as const);
  return JSON.stringify({ version, loader, integrity, files: Object.fromEntries(texts) });
}

/** The bundle that a text was made of. */
export async function widgetBundleOf(text: string): Promise<WidgetBundle> {
  const { files, ...named } = JSON.parse(text) as Pick<
    WidgetBundle,
    'version' | 'loader' | 'integrity'
  > & {
    readonly files: Readonly<Record<string, string>>;
  };
  const compressed = await Promise.all(
    Object.entries(files).map(
      async ([name, content]) => [name, await compressedFile(Buffer.from(content))] as const,
    ),
  );
  return { ...named, files: new Map(compressed) };
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** As the build compresses it, beside the event loop. */
async function compressedFile(plain: Buffer): Promise<WidgetFile> {
  const [brotli, gzipped] = await Promise.all([
    toBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    toGzip(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { plain, brotli, gzip: gzipped };
}

async function fileIn(folder: URL, path: string): Promise<WidgetFile> {
  const [plain, brotli, gzip] = await Promise.all(
    ['', '.br', '.gz'].map((ending) => readFile(new URL(path + ending, folder))),
  );
  if (plain === undefined || brotli === undefined || gzip === undefined) {
    throw new TypeError(`The bundle of the widget lacks ${path}.`);
  }
  return { plain, brotli, gzip };
}
