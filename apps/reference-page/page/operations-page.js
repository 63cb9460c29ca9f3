// Starts Swagger UI on the operations page. Requests are tried on the reference page: its form takes
// text, where one of hundreds of fields would be needed here.

/**
 * What is used here of the immutable maps that Swagger UI is given its document in.
 * @typedef {object} DocumentPart
 * @property {number} size
 * @property {(path: readonly string[]) => DocumentPart | undefined} getIn
 * @property {(path: readonly string[], value: DocumentPart) => DocumentPart} setIn
 * @property {(key: string) => DocumentPart} delete
 * @property {(test: (value: unknown, key: string) => boolean) => DocumentPart} filter
 * @property {() => Iterable<string>} keySeq
 */

/** @typedef {{ requestBody: DocumentPart }} BodyProps */

/**
 * @typedef {object} React
 * @property {(type: unknown, props: object | null, ...children: readonly unknown[]) => unknown} createElement
 * @property {(initial: boolean) => [boolean, (next: boolean) => void]} useState
 */

const PROPERTIES = ['content', 'application/x-www-form-urlencoded', 'schema', 'properties'];

/** More rows than this at once are felt as a pause. */
const ROWS_AT_ONCE_MAX = 60;

/** @param {string} name @returns the structure that it belongs to, or nothing for basic parameters */
const structureOf = (name) => /^[^.[]+(?=[.[])/.exec(name)?.[0] ?? '';

/**
 * The parameters of a request by structure, each drawn when it is opened: all hundreds of rows at
 * once would hold the page for seconds.
 * @param {unknown} RequestBody @param {{ React: React }} system
 */
function bodyInParts(RequestBody, { React: { createElement, useState } }) {
  /** @param {{ title: string, draw: () => unknown }} props */
  const Part = ({ title, draw }) => {
    const [isOpen, setOpen] = useState(false);
    /** @param {{ currentTarget: HTMLDetailsElement }} event */
    const onToggle = ({ currentTarget }) => setOpen(currentTarget.open);
    const summary = createElement('summary', null, title);
    return createElement('details', { onToggle }, summary, isOpen ? draw() : null);
  };

  /** @param {BodyProps} props */
  return (props) => {
    const { requestBody } = props;
    const all = requestBody.getIn(PROPERTIES);
    if (all === undefined || all.size <= ROWS_AT_ONCE_MAX) {
      return createElement(RequestBody, props);
    }
    /** @param {DocumentPart} body @param {string} structure */
    const drawn = (body, structure) => {
      const some = all.filter((_, name) => structureOf(name) === structure);
      return createElement(RequestBody, { ...props, requestBody: body.setIn(PROPERTIES, some) });
    };
    const named = requestBody.delete('description');
    const parts = [...new Set([...all.keySeq()].map(structureOf))].filter(Boolean);
    return createElement(
      'div',
      null,
      drawn(requestBody, ''),
      ...parts.map((structure) =>
        createElement(Part, {
          ...{ key: structure, title: `${structure}.*` },
          draw: () => drawn(named, structure),
        }),
      ),
    );
  };
}

/** Swagger UI's dark colours hang on a class; whoever wishes for the dark says so to the browser. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/** @type {{ SwaggerUIBundle: (options: Record<string, unknown>) => unknown }} */
const { SwaggerUIBundle: start } = Object(globalThis);

start({
  url: '/openapi.json',
  dom_id: '#operations',
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'model',
  showExtensions: true,
  supportedSubmitMethods: [],
  // It would ask a validator elsewhere.
  validatorUrl: null,
  plugins: [{ wrapComponents: { RequestBody: bodyInParts } }],
});
