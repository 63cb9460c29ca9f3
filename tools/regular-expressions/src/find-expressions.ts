import ts from 'typescript';

/** One regular expression as it stands in a source file. */
export interface FoundExpression {
  /** `path:line`. */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

/** A `RegExp` whose pattern is put together while the program runs. */
export interface BuiltExpression {
  readonly at: string;
  /** The pattern as it is written. */
  readonly text: string;
}

/** What one source text holds. */
export interface Expressions {
  readonly fixed: readonly FoundExpression[];
  readonly built: readonly BuiltExpression[];
}

/**
 * Finds regular expression literals, and `RegExp(…)` with and without `new`. A pattern that is a
 * literal text can be judged; one that is built from parts is reported as such.
 */
export function findExpressions(path: string, text: string): Expressions {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const fixed: FoundExpression[] = [];
  const built: BuiltExpression[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const at = `${path}:${line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      fixed.push({ at, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const pattern = node.arguments?.[0];
      if (ts.isIdentifier(node.expression) && node.expression.text === 'RegExp' && pattern) {
        const flags = node.arguments[1];
        if (ts.isStringLiteralLike(pattern) && (!flags || ts.isStringLiteralLike(flags))) {
          fixed.push({ at, source: pattern.text, flags: flags?.text ?? '' });
        } else if (!ts.isRegularExpressionLiteral(pattern)) {
          built.push({ at, text: pattern.getText() });
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { fixed, built };
}
