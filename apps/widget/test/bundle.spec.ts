import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BUILD_WITHIN_MS, builtFile, type BuiltWidget, builtWidget } from './built-widget.js';

// What shoppers on slow networks wait for. In bytes, as they are sent.
const LOADER_BYTES_MAX = 3 * 1024;
const WIDGET_BYTES_MAX = 30 * 1024;
const FORM_BYTES_MAX = 8 * 1024;
const FRAME_BYTES_MAX = 10 * 1024;
const LANGUAGE_BYTES_MAX = 2 * 1024;

/** What edge puts around the loader: the longest id, purpose, version and hash. */
const BOUND_TO =
  `(sluiceStart=>{})({"id":"${'A'.repeat(48)}","purpose":"registration",` +
  `"version":"${'a'.repeat(32)}","integrity":"sha384-${'a'.repeat(64)}"});\n`;

let built: BuiltWidget;
beforeAll(async () => {
  built = await builtWidget();
}, BUILD_WITHIN_MS);

const sizes = (name: string): number[] =>
  ['.br', '.gz'].map((ending) => builtFile(built, name + ending).length);
const forms = (): readonly string[] => built.files.filter((name) => name.startsWith('form-'));
const languages = (): readonly string[] =>
  built.files.filter((name) => name.startsWith('language-'));

describe('what a page loads', () => {
  it('is small: the loader, which is not compressed', () => {
    const loader = built.templates['loader.js'] ?? '';
    expect(loader).toContain('sluiceStart');
    expect(Buffer.byteLength(loader + BOUND_TO)).toBeLessThanOrEqual(LOADER_BYTES_MAX);
  });

  it('is small: the widget with the card form and one language', () => {
    for (const size of sizes('widget.js')) expect(size).toBeLessThanOrEqual(WIDGET_BYTES_MAX);
  });

  it('is small: each further form, which is loaded where a brand of it is there', () => {
    expect(forms()).toEqual([
      ...['form-account.js', 'form-apple-pay.js', 'form-click-to-pay.js'],
      ...['form-direct-debit.js', 'form-google-pay.js'],
      ...['form-online-transfer.js', 'form-stored.js', 'form-virtual-account.js'],
    ]);
    for (const name of forms()) {
      for (const size of sizes(name)) expect(size).toBeLessThanOrEqual(FORM_BYTES_MAX);
    }
  });

  it('is small: a frame with its script', () => {
    const all = ['field.html', 'field.css', 'field.js'].map(sizes);
    for (const form of [0, 1]) {
      const sum = all.reduce((bytes, each) => bytes + (each[form] ?? 0), 0);
      expect(sum).toBeLessThanOrEqual(FRAME_BYTES_MAX);
    }
  });

  it('is small: each of the 24 languages that are loaded when they are asked for', () => {
    expect(languages()).toHaveLength(24);
    for (const name of languages()) {
      for (const size of sizes(name)) expect(size).toBeLessThanOrEqual(LANGUAGE_BYTES_MAX);
    }
  });

  it('is small: what one form alone says, in one language', () => {
    const further = built.files.filter((name) => /^.+-language-/.test(name));
    expect(further).toHaveLength(24);
    for (const name of further) {
      for (const size of sizes(name)) expect(size).toBeLessThanOrEqual(LANGUAGE_BYTES_MAX);
    }
  });

  it('is compressed to what it is', () => {
    for (const name of built.files) {
      const plain = builtFile(built, name);
      expect(brotliDecompressSync(builtFile(built, `${name}.br`)).equals(plain)).toBe(true);
      expect(gunzipSync(builtFile(built, `${name}.gz`)).equals(plain)).toBe(true);
    }
  });

  it('is what its hash says', () => {
    const hash = createHash('sha384').update(builtFile(built, 'widget.js')).digest('base64');
    expect(built.integrity['widget.js']).toBe(`sha384-${hash}`);
  });

  it('has further forms checked by their hashes, which are in the script that is checked itself', () => {
    const widget = builtFile(built, 'widget.js').toString();
    for (const name of forms()) {
      const hash = createHash('sha384').update(builtFile(built, name)).digest('base64');
      expect([name, widget.includes(`sha384-${hash}`)]).toEqual([name, true]);
    }
  });

  it('keeps nothing in the browser and evaluates nothing', () => {
    const scripts = built.files.filter((name) => name.endsWith('.js'));
    const texts = scripts.map((name) => builtFile(built, name).toString());
    const all = [...texts, ...Object.values(built.templates)].join('\n');
    expect(all.length).toBeGreaterThan(10_000);
    const refused =
      /localStorage|sessionStorage|indexedDB|\.cookie\b|\beval\(|new Function|document\.write/;
    expect(all).not.toMatch(refused);
  });
});
