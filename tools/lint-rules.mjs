// The house's own lint rules: each is a list of syntax patterns (ESLint selectors) with the sentence
// that is shown. eslint.config.mjs says where each of them holds.

/**
 * @typedef {import('eslint').Rule.RuleModule} RuleModule
 * @typedef {{ selector: string, message: string }} Pattern
 */

/** @returns {RuleModule} */
function refuse(/** @type {Pattern[]} */ ...patterns) {
  return {
    meta: { type: 'problem', schema: [] },
    create: (context) =>
      Object.fromEntries(
        patterns.map(({ selector, message }) => [
          selector,
          (/** @type {import('estree').Node} */ node) => {
            context.report({ node, message });
          },
        ]),
      ),
  };
}

const floatMessage =
  'Amounts are integers in minor units: no conversion through floating point. Parse digits with libs/money.';
const builtSqlMessage =
  'SQL is a constant text with $1, $2 … for values. Identifiers (a schema) go into a text made once, outside the query.';
const entityTimeMessage =
  'How late it is depends on the entity: EntityClock.now(entityId). What is of the machine (leases, ages of commands) has its own clock, called machine.';
const clockMessage = 'Time, ids and randomness come in with the command; domain code makes none.';

/** @type {Record<string, RuleModule>} */
const rules = {
  'no-float-money': refuse(
    {
      selector: 'CallExpression[callee.name=/^(?:parseFloat|Number)$/]',
      message: floatMessage,
    },
    {
      selector:
        "CallExpression[callee.object.name='Number'][callee.property.name=/^(?:parseFloat|parseInt)$/]",
      message: floatMessage,
    },
    {
      selector: 'CallExpression[callee.property.name=/^(?:toFixed|toPrecision|toExponential)$/]',
      message: floatMessage,
    },
    { selector: "UnaryExpression[operator='+']", message: floatMessage },
  ),
  'no-built-sql': refuse(
    {
      selector:
        "CallExpression[callee.property.name='query'] > TemplateLiteral.arguments:first-child[expressions.length>0]",
      message: builtSqlMessage,
    },
    {
      selector:
        "CallExpression[callee.property.name='query'] > BinaryExpression.arguments:first-child[operator='+']",
      message: builtSqlMessage,
    },
    {
      selector:
        "CallExpression[callee.property.name='query'] > ObjectExpression > Property[key.name='text'] > :matches(TemplateLiteral[expressions.length>0], BinaryExpression)",
      message: builtSqlMessage,
    },
  ),
  'secret-readers': refuse({
    selector: "CallExpression[callee.property.name='reveal'][arguments.length=0]",
    message:
      'A secret is revealed in listed files alone: tools/boundaries/src/secret-readers.mjs (with the reason).',
  }),
  // One key, so that one search finds every error; the allowlist of D-46 sits on it.
  'error-log-key': refuse({
    selector:
      "CallExpression:matches([callee.object.name=/logger$/i], [callee.object.property.name=/logger$/i]) > ObjectExpression > Property[key.name='error']",
    message: 'Errors are logged under the key err: { err: error }.',
  }),
  // Of services that follow the clocks of entities (page 0078). Subscriptions as they are now are no time.
  'time-of-entity': refuse(
    {
      selector:
        "CallExpression[callee.property.name='now'][arguments.length=0]:not([callee.object.name=/^(?:machine|performance|subscriptions)$/]):not([callee.object.property.name=/^(?:machine|subscriptions|look)$/]):not([callee.object.type='ThisExpression'])",
      message: entityTimeMessage,
    },
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: entityTimeMessage,
    },
  ),
  'no-clock-in-domain': refuse(
    {
      selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
      message: clockMessage,
    },
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clockMessage },
    {
      selector: "CallExpression[callee.object.name='performance'][callee.property.name='now']",
      message: clockMessage,
    },
    {
      selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
      message: clockMessage,
    },
    {
      selector: 'CallExpression[callee.name=/^random(?:UUID|Bytes|Int|FillSync)$/]',
      message: clockMessage,
    },
    {
      selector: 'CallExpression[callee.name=/^(?:setTimeout|setInterval|setImmediate)$/]',
      message: clockMessage,
    },
  ),
};

/** The longest function, in lines of code: what one screen shows. */
const FUNCTION_LINES_MAX = 60;

/**
 * Like ESLint's max-lines-per-function without blank lines and comments, except for suites: a
 * function that calls `describe` or `it` itself is a list of tests, as long as there are tests.
 * @type {RuleModule}
 */
const functionLength = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    /** @type {{ isSuite: boolean }[]} */
    const around = [];
    const enter = () => {
      around.push({ isSuite: false });
    };
    const exit = (/** @type {import('estree').Node} */ node) => {
      if (around.pop()?.isSuite === true) return;
      const lines = new Set();
      for (const { loc } of context.sourceCode.getTokens(node)) {
        for (let line = loc.start.line; line <= loc.end.line; line += 1) lines.add(line);
      }
      if (lines.size <= FUNCTION_LINES_MAX) return;
      const message = `A function has at most ${FUNCTION_LINES_MAX} lines of code; this one has ${lines.size}.`;
      context.report({ node, message });
    };
    return {
      ':function': enter,
      ':function:exit': exit,
      'CallExpression[callee.name=/^(?:describe|it)$/], CallExpression[callee.object.name=/^(?:describe|it)$/]':
        () => {
          const nearest = around.at(-1);
          if (nearest !== undefined) nearest.isSuite = true;
        },
    };
  },
};

/** The rules as an ESLint plugin. @type {import('eslint').ESLint.Plugin} */
export const houseRules = {
  meta: { name: 'sluice' },
  rules: { ...rules, 'function-length': functionLength },
};
