import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CITATION = /\b(?:D-[0-9]{2}|[RS]-[A-Z]{2,4}-[0-9]{2})\b/g;
/** Where each kind of number is explained. */
const PAGES = ['docs/decisions/register.md', 'docs/explanation/requirements.md'];

/** Numbers that stand in the text, and those within a range such as `D-14 to D-23`. */
function numbersIn(text: string): Set<string> {
  const numbers = new Set(text.match(CITATION) ?? []);
  for (const [, from = '', to = ''] of text.matchAll(/\bD-([0-9]{2}) to D-([0-9]{2})\b/g)) {
    for (let number = Number(from); number <= Number(to); number += 1) {
      numbers.add(`D-${String(number).padStart(2, '0')}`);
    }
  }
  return numbers;
}

function unexplained(sources: readonly string[], pages: readonly string[]): string[] {
  const explained = numbersIn(pages.join('\n'));
  const cited = new Set(sources.flatMap((source) => source.match(CITATION) ?? []));
  return [...cited].filter((number) => !explained.has(number)).sort();
}

describe('numbers that code and documents cite', () => {
  it('are explained in the documents', () => {
    const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.mjs', '*.md'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
    const sources = files
      .trim()
      .split('\n')
      .filter((path) => !PAGES.includes(path))
      .map(read);
    expect(sources.length).toBeGreaterThan(100);
    expect(unexplained(sources, PAGES.map(read))).toEqual([]);
  });

  it('are missed when a page lacks one', () => {
    // Put together, or this very file would cite a number that nobody explains.
    const planted = ['D', '77'].join('-');
    expect(unexplained([`as ${planted} says, and D-15`], ['D-14 to D-16'])).toEqual([planted]);
  });
});

const INTERFACE = /\b[Ii]nterface ([0-9](?:\.[0-9]{1,2})?)(?: to ([0-9](?:\.[0-9]{1,2})?))?/g;
const WIRE_CONTRACT =
  /\b[Ww]ire[ -]contract,? (?:(D[0-9]{1,2})\b|([0-9]{1,2})\b(?!\.)(?:, (D[0-9]{1,2})\b)?)/g;

/** The sections that a text cites, as links to the documents that have them. */
function sectionsCited(text: string): string[] {
  const interfaceSections = [...text.matchAll(INTERFACE)].flatMap(([, from = '', to]) =>
    to === undefined ? [from] : [from, to],
  );
  const decisions = [...text.matchAll(WIRE_CONTRACT)].flatMap(([, alone, section, within]) =>
    [alone, section, within].filter((each) => each !== undefined),
  );
  return [
    ...interfaceSections.map((section) => `interface.md#${section}`),
    ...decisions.map((section) => `wire-contract.md#${section}`),
  ];
}

/** Those that lead nowhere where they are read. */
function bareCitations(text: string): string[] {
  return sectionsCited(text.replaceAll(/\[[^\]]*\]\([^)]*\)/g, ''));
}

describe('sections of the interface and of the wire contract', () => {
  const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
  const anchors = new Set(
    ['interface.md', 'wire-contract.md'].flatMap((file) =>
      [...read(`docs/reference/${file}`).matchAll(/<a id="([^"]+)">/g)].map(
        ([, id = '']) => `${file}#${id}`,
      ),
    ),
  );
  const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.js', '*.mjs', '*.md', '*.json'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((path) => !path.startsWith('node_modules'));

  it('are there wherever code, documents and generated files cite them', () => {
    const cited = files.flatMap((path) =>
      sectionsCited(read(path)).map((section) => ({ path, section })),
    );
    expect(cited.length).toBeGreaterThan(200);
    expect(cited.filter(({ section }) => !anchors.has(section))).toEqual([]);
  });

  it('are links in the generated references', () => {
    const table = read('docs/reference/parameters.md');
    const links = [...table.matchAll(/\]\(((?:interface|wire-contract)\.md#[^)]+)\)/g)];
    expect(links.length).toBeGreaterThan(400);
    expect(links.filter(([, link = '']) => !anchors.has(link))).toEqual([]);
    const bare = table
      .split('\n')
      .filter((line) => /\| (?:[0-9](?:\.[0-9]+)?|wire contract [^|]*) \|$/.test(line));
    expect(bare).toEqual([]);
    const { tags, components } = JSON.parse(read('docs/reference/openapi.json')) as {
      readonly tags: readonly object[];
      readonly components: { readonly securitySchemes: object };
    };
    const described = JSON.stringify([tags, components.securitySchemes]);
    for (const [, page = '', anchor = ''] of described.matchAll(/\/docs\/([a-z-]+)#([0-9.D]+)/g)) {
      expect(anchors).toContain(`${page}.md#${anchor}`);
    }
  });

  it('are links wherever a document cites them', () => {
    const documents = files.filter((path) => path.endsWith('.md') && !path.startsWith('.'));
    expect(documents.length).toBeGreaterThan(50);
    expect(
      documents.flatMap((path) => bareCitations(read(path)).map((cited) => ({ path, cited }))),
    ).toEqual([]);
    const [linked, bare] = [['[Interface 2.3](', 'x)'].join(''), ['Interface', '2.3'].join(' ')];
    expect([bareCitations(linked), bareCitations(bare)]).toEqual([[], ['interface.md#2.3']]);
  });

  it('are found in every way of citing', () => {
    // Put together, or this very file would cite what is not there.
    const [some, other] = [['Interface', '9.9'].join(' '), ['wire contract', '0, D99'].join(' ')];
    expect(sectionsCited(`${some} to 9.11; ${other}`)).toEqual([
      ...['interface.md#9.9', 'interface.md#9.11', 'wire-contract.md#0', 'wire-contract.md#D99'],
    ]);
  });
});
