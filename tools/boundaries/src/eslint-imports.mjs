// ESLint's import rules, one pair of blocks per project, generated from the tables: an editor shows
// a crossing where it is written, before any spec runs.
import { allowedPackages, allowedPackagesOfProject, importTable } from './tables.mjs';
import { dependencyRefusal, isJudge, isOfNames, namesOf, typeOf } from './violations.mjs';

/**
 * @typedef {import('./workspace-model.mjs').ModelProject} ModelProject
 * @typedef {{ name: string, message: string, allowTypeImports?: boolean, allowImportNames?: string[] }} RestrictedPath
 * @typedef {{ regex: string, message: string, allowImportNamePattern?: string }} RestrictedPattern
 */

/** The packages that tempt most; the spec of this project checks the whole list of what is allowed. */
const frameworksAndDrivers =
  '^(?:@nestjs/|typeorm$|pg$|kafkajs$|undici$|axios$|fastify$|rxjs|class-transformer$|class-validator$' +
  '|(?:node:)?(?:fs|net|http|https|http2|tls|dgram|dns|child_process|worker_threads|cluster|timers)(?:/|$))';

/**
 * @param {ModelProject} from
 * @param {ModelProject} to
 * @param {boolean} isTest
 * @returns {{ paths: RestrictedPath[], patterns: RestrictedPattern[] }}
 */
function restrictionsTowards(from, to, isTest) {
  const refused = dependencyRefusal(from, to);
  const path = { name: to.name, message: `Boundaries: ${refused ?? ''}` };
  if (refused !== undefined) return { paths: [path], patterns: [] };
  const permission = isJudge(from, to) ? 'specs' : importTable[typeOf(from)][typeOf(to)];
  if (permission === 'specs' && !isTest) {
    return { paths: [{ ...path, message: 'Boundaries: in specs alone.' }], patterns: [] };
  }
  if (permission === 'types') {
    const message = 'Boundaries: types alone.';
    return { paths: [{ ...path, message, allowTypeImports: true }], patterns: [] };
  }
  if (permission === 'modules') {
    const message = 'Boundaries: the module class and nothing else of an app.';
    const regex = `^${to.name}$`;
    return { paths: [], patterns: [{ regex, message, allowImportNamePattern: 'Module$' }] };
  }
  if (isOfNames(permission)) {
    const message = 'Boundaries: these names alone.';
    const allowImportNames = [...(namesOf(permission, to) ?? [])];
    return { paths: [{ ...path, message, allowImportNames }], patterns: [] };
  }
  return { paths: [], patterns: [] };
}

/** @returns {RestrictedPattern[]} */
function packagePatterns(/** @type {ModelProject} */ project, /** @type {boolean} */ isTest) {
  if (isTest || allowedPackages[typeOf(project)] === undefined) return [];
  const exceptions = (allowedPackagesOfProject[project.name] ?? []).map((name) => `(?!${name}$)`);
  return [
    {
      regex: frameworksAndDrivers.replace('^', `^${exceptions.join('')}`),
      message: `Boundaries: ${typeOf(project)} code is free of frameworks, drivers and I/O.`,
    },
  ];
}

/** A lookahead that lets pass what packages export beside their index, or nothing. */
function declaredSubpaths(/** @type {readonly ModelProject[]} */ projects) {
  const declared = projects.flatMap(({ name, manifest }) =>
    Object.keys(manifest.exports ?? {})
      .filter((subpath) => subpath !== '.')
      .map((subpath) => `${name}${subpath.slice(1)}`),
  );
  return declared.length === 0 ? '' : `(?!(?:${declared.join('|')})$)`;
}

/**
 * The rule's options for one project.
 * @param {ModelProject} project
 * @param {readonly ModelProject[]} projects
 * @param {boolean} isTest
 */
export function restrictedImports(project, projects, isTest) {
  const towards = projects
    .filter((other) => other !== project)
    .map((other) => restrictionsTowards(project, other, isTest));
  const ownNames = [`^${project.name}(?:/|$)`, ...(isTest ? [] : ['^\\.{1,2}/index\\.js$'])];
  return {
    paths: towards.flatMap(({ paths }) => paths),
    patterns: [
      ...towards.flatMap(({ patterns }) => patterns),
      ...packagePatterns(project, isTest),
      ...ownNames.map((regex) => ({ regex, message: 'Boundaries: not through the own index.' })),
      {
        regex: `^${declaredSubpaths(projects)}@sluice/[^/]+/`,
        message: 'Boundaries: only the index of another project, or a subpath that it exports.',
      },
    ],
  };
}
