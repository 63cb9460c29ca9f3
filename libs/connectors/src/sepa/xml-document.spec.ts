import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEPTH_MAX, ELEMENTS_MAX, FILE_BYTES_MAX, readXml } from './xml-document.js';
import { branch, documentOf, leaf, type XmlText } from './xml-text.js';

function read(text: string): ReturnType<typeof readXml> {
  return readXml(Buffer.from(text));
}

function reasonOf(text: string): string {
  const document = read(text);
  return document.kind === 'refused' ? document.reason : document.kind;
}

describe('a document', () => {
  it('is read with its texts, its currencies and nothing of other namespaces', () => {
    const text =
      '\ufeff<?xml version="1.0" encoding="utf-8"?><!-- a bank --><d:D xmlns:d="urn:a">' +
      '<d:A Ccy="EUR" Other="x">1&#46;<![CDATA[0<0]]></d:A><B xmlns="urn:b"><d:A>no</d:A>no</B>' +
      '<d:N>&lt;&amp;&gt;&quot;&apos;</d:N><?do nothing?></d:D>';
    expect(read(text)).toEqual({
      kind: 'document',
      namespace: 'urn:a',
      root: {
        name: 'D',
        text: '',
        children: [
          { name: 'A', text: '1.0<0', currency: 'EUR', children: [] },
          { name: 'N', text: `<&>"'`, children: [] },
        ],
      },
    });
  });

  it('is read as it was written, whatever its texts are', () => {
    const characters = fc.string({ unit: 'grapheme', maxLength: 50 });
    fc.assert(
      // What XML has no characters for is never written: SEPA's texts are printable.
      fc.property(
        characters.map((text) => text.replace(/[\p{Cc}\ufffe\uffff]/gu, '')),
        (text) => {
          const document = read(documentOf('urn:a', branch('B', leaf('C', text, text), undefined)));
          expect(document).toMatchObject({
            root: { name: 'Document', children: [{ children: [{ name: 'C', text }] }] },
          });
        },
      ),
    );
  });
});

describe('a document is refused', () => {
  it.each([
    ['', 'malformed'],
    ['no document', 'malformed'],
    ['<a>', 'malformed'],
    ['<a></b>', 'malformed'],
    ['<a/><b/>', 'malformed'],
    ['<a x=1/>', 'malformed'],
    ['<a x="1" x="2"/>', 'malformed'],
    ['<p:a/>', 'malformed'],
    ['<a>&unknown;</a>', 'malformed'],
    ['<a>&#0;</a>', 'malformed'],
    ['<a>\u0001</a>', 'malformed'],
    ['<a/>trailing', 'malformed'],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><a/>', 'notUtf8'],
    ['<!DOCTYPE a><a/>', 'documentType'],
    ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'documentType'],
    ['<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>', 'documentType'],
    ['<!DOCTYPE a [<!ENTITY % b SYSTEM "http://c/"> %b;]><a/>', 'documentType'],
  ])('where it is %j: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  it('where its bytes are no UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('<a>'), Buffer.from([0xe4]), Buffer.from('</a>')]);
    expect(readXml(bytes)).toEqual({ kind: 'refused', reason: 'notUtf8' });
    expect(readXml(Buffer.from('<a/>', 'utf16le'))).toMatchObject({ kind: 'refused' });
  });

  it('where it is larger than any, before a byte of it is looked at', () => {
    expect(readXml(Buffer.alloc(FILE_BYTES_MAX + 1))).toEqual({
      kind: 'refused',
      reason: 'tooLarge',
    });
  });

  it('where it is deeper than any, and not where it is as deep', () => {
    const deep = (levels: number): string => '<a>'.repeat(levels) + '</a>'.repeat(levels);
    expect(reasonOf(deep(DEPTH_MAX))).toBe('document');
    expect(reasonOf(deep(DEPTH_MAX + 1))).toBe('tooDeep');
    expect(reasonOf(`<b xmlns="urn:b">${'<a xmlns="">'.repeat(100_000)}`)).toBe('tooDeep');
  });

  it('where it has more elements than any', () => {
    const wide = (elements: number): string => `<a>${'<b/>'.repeat(elements - 1)}</a>`;
    expect(reasonOf(wide(ELEMENTS_MAX))).toBe('document');
    expect(reasonOf(wide(ELEMENTS_MAX + 1))).toBe('tooManyElements');
  });

  it('or read, whatever the bytes are: nothing is thrown', () => {
    const some = leaf('A', 'text', 'EUR');
    const whole = Buffer.from(documentOf('urn:a', branch('B', some, some) satisfies XmlText));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ maxLength: 8 }), (at, bytes) => {
        const spoilt = Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at + 1)]);
        expect(['document', 'refused']).toContain(readXml(spoilt).kind);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(['document', 'refused']).toContain(readXml(bytes).kind);
      }),
    );
  });
});
