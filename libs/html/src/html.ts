/** Text that is HTML already; everything else is escaped where it is put into some. */
export class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

type Part = string | Html | readonly Html[];

function textOf(part: Part): string {
  if (typeof part === 'string') return escaped(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('');
}

/** HTML as a template; what is put into it is escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, index) => text + textOf(parts[index] ?? ''));
  return new Html(pieces.join(''));
}

/** Markdown with code spans alone, as the catalogue's sentences are. */
export function withCode(text: string): Html {
  const pieces = text.split('`');
  return new Html(
    pieces
      .map((piece, index) => (index % 2 === 1 ? `<code>${escaped(piece)}</code>` : escaped(piece)))
      .join(''),
  );
}

/** JSON for a script to read; no text in it can end the element. */
export function jsonBlock(id: string, value: unknown): Html {
  const text = JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
  return new Html(`<script type="application/json" id="${escaped(id)}">${text}</script>`);
}
