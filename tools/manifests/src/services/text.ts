/** What every generated file begins with. */
export const GENERATED = '# Generated from libs/contracts by `npm run generate`; do not edit.';

/** Lines as a file; undefined stands for a line that is not there. */
export function linesOf(...lines: readonly (string | readonly string[] | undefined)[]): string {
  const all = lines.flat().filter((line) => line !== undefined);
  return all.map((line) => `${line}\n`).join('');
}

/** Lines if something is so. */
export function when(isSo: boolean, ...lines: readonly string[]): readonly string[] {
  return isSo ? lines : [];
}

/** The same lines further to the right. */
export function indented(spaces: number, lines: readonly string[]): readonly string[] {
  return lines.map((line) => ' '.repeat(spaces) + line);
}

/** Name and labels of an object that belongs to a service. */
export function metadataOf(service: string, name = service): readonly string[] {
  return ['metadata:', `  name: ${name}`, '  labels:', ...indented(4, labelsOf(service))];
}

/** How everything that belongs to a service is labelled. */
export function labelsOf(service: string): readonly string[] {
  return [
    `app.kubernetes.io/name: ${service}`,
    'app.kubernetes.io/instance: sluice',
    'app.kubernetes.io/component: service',
  ];
}

/** A text as YAML has it: in quotes where it would be something else without. */
export function scalar(text: string): string {
  const isPlain = /^[A-Za-z/][\w./:=@,+-]*[\w/]$/.test(text) && !/^(?:true|false|null)$/.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}
