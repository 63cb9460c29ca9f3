import { stringify } from 'yaml';

/** Objects of Kubernetes as one file, the way Prettier would write it, below a comment. */
export function yamlText(comment: readonly string[], objects: readonly object[]): string {
  const head = comment.map((line) => `# ${line}\n`).join('');
  const options = { singleQuote: true, lineWidth: 0, aliasDuplicateObjects: false } as const;
  return head + objects.map((object) => stringify(object, options)).join('---\n');
}
