import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { restrictedImports } from './tools/boundaries/src/eslint-imports.mjs';
import { secretReaders } from './tools/boundaries/src/secret-readers.mjs';
import { readProjectsWithTags } from './tools/boundaries/src/workspace-model.mjs';
import { houseRules } from './tools/lint-rules.mjs';

/** As in tools/source-files.mjs. */
const testFiles = ['**/*.spec.ts', '**/*{.,-}{fixture,fixtures}.ts', '**/test/**/*.ts'];
/** Everything that computes or carries amounts. */
const moneyPaths = ['libs/money/**', 'libs/domain/**', 'libs/connectors/**'];

const projects = readProjectsWithTags();

/** Two blocks per project: its code, and its specs, which may import more. @type {import('eslint').Linter.Config[]} */
const boundaries = projects.flatMap((project) => [
  {
    files: [`${project.folder}/**/*.{ts,tsx}`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        restrictedImports(project, projects, false),
      ],
    },
  },
  {
    files: testFiles.map((pattern) => `${project.folder}/${pattern}`),
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        restrictedImports(project, projects, true),
      ],
    },
  },
]);

export default defineConfig(
  globalIgnores(['**/dist/', '**/test-results/', '**/.stryker-tmp/', 'coverage/', '.nx/']),
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { sluice: houseRules },
    rules: {
      'sluice/function-length': 'error',
      'max-params': ['error', { max: 4 }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-globals': ['error', 'event', 'name'],
      'sluice/no-built-sql': 'error',
      'sluice/secret-readers': 'error',
      'sluice/error-log-key': 'error',

      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      // The rule knows that a decorated class's constructor parameters are values: Nest injects by them.
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],

      // Only noise here: numbers in texts, bracket access to what
      // only an index signature promises, decorated classes of Nest, type parameters that document a caller's intent.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
    },
  },
  {
    files: moneyPaths,
    rules: { 'sluice/no-float-money': 'error' },
  },
  {
    files: ['libs/domain/**'],
    rules: { 'sluice/no-clock-in-domain': 'error' },
  },
  {
    // Those that follow the clocks of entities (page 0078); authentications of shoppers have the machine's.
    files: [
      'apps/{checkouts,edge,payments,registrations,scheduling,sepa,webhooks}/src/**',
      'apps/risk/src/assessment/**',
    ],
    rules: { 'sluice/time-of-entity': 'error' },
  },
  {
    files: ['libs/secrets/**', ...Object.keys(secretReaders)],
    rules: { 'sluice/secret-readers': 'off' },
  },
  ...boundaries,
  {
    // Tables with a row per parameter, in the interface's order: as long as the interface is.
    files: ['libs/parameters/src/tables/**'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: testFiles,
    rules: {
      'sluice/no-float-money': 'off',
      'sluice/no-built-sql': 'off',
      'sluice/no-clock-in-domain': 'off',
      'sluice/time-of-entity': 'off',
      'sluice/secret-readers': 'off',
      'sluice/error-log-key': 'off',
      // Fixtures are indexed with names that the spec has just written.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      // Answers are parsed JSON, whose shape is just what the expectations state.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
  {
    // Tools are programs: they print, and read JSON whose shape their JSDoc types state.
    files: ['**/*.mjs', 'tools/**'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    // Scripts of pages: the compiler knows what a browser has, and their JSDoc states what JSON is.
    files: ['apps/*/page/*.js'],
    rules: { 'no-undef': 'off', '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    // Whoever writes a page of a shop reads the console.
    files: ['apps/widget/src/**'],
    rules: { 'no-console': ['error', { allow: ['warn', 'error'] }] },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { URL: 'readonly', performance: 'readonly' } },
  },
  {
    // Projects of other people: plain JavaScript, of which the workspace's compiler knows nothing.
    files: ['examples/**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      sourceType: 'commonjs',
      globals: Object.fromEntries(
        [
          ...['require', 'module', 'process', 'fetch', 'AbortSignal', 'URLSearchParams'],
          ...['test', 'expect', 'jest', 'beforeAll', 'beforeEach', 'afterAll'],
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // A module of Node, which imports what it uses.
    files: ['examples/receiver-node/*.js'],
    languageOptions: { sourceType: 'module', globals: { process: 'off', test: 'off' } },
  },
  prettier,
);
