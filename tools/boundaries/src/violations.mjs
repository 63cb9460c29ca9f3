// Every rule about imports as a function from the workspace to sentences; no sentence, no violation.
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { isTestFile } from '../../source-files.mjs';
import {
  allowedPackages,
  allowedPackagesOfProject,
  importTable,
  judgesOfSpecs,
  onlyTheseProjects,
  projectTypes,
  startedBy,
} from './tables.mjs';

/**
 * @typedef {import('./tables.mjs').ProjectType} ProjectType
 * @typedef {import('./tables.mjs').Permission} Permission
 * @typedef {import('./tables.mjs').NamesOfProject} NamesOfProject
 * @typedef {import('./workspace-model.mjs').Workspace} Workspace
 * @typedef {import('./workspace-model.mjs').ModelProject} ModelProject
 * @typedef {import('./workspace-model.mjs').SourceFile} SourceFile
 * @typedef {import('./workspace-model.mjs').Import} Import
 */

const builtins = new Set(builtinModules);

/** @returns {string[]} the values of a project's tags with this prefix */
function tagValues(/** @type {ModelProject} */ project, /** @type {string} */ prefix) {
  return project.tags
    .filter((tag) => tag.startsWith(`${prefix}:`))
    .map((tag) => tag.slice(prefix.length + 1));
}

/** @returns {ProjectType} */
export function typeOf(/** @type {ModelProject} */ project) {
  return /** @type {ProjectType} */ (tagValues(project, 'type')[0]);
}

/** @returns {string | undefined} */
export function scopeOf(/** @type {ModelProject} */ project) {
  return tagValues(project, 'scope')[0];
}

/** The package a specifier belongs to: `@a/b` of `@a/b/c`, `d` of `d/e`. */
export function packageOf(/** @type {string} */ specifier) {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

/** Every project has exactly one known type and one scope; an app's scope is its own name. */
export function tagViolations(/** @type {Workspace} */ { projects }) {
  return projects.flatMap((project) => {
    const types = tagValues(project, 'type');
    const scopes = tagValues(project, 'scope');
    const found = [];
    if (types.length !== 1) found.push(`${project.name} has ${types.length} type: tags, not one`);
    if (scopes.length !== 1)
      found.push(`${project.name} has ${scopes.length} scope: tags, not one`);
    if (types.length + scopes.length !== project.tags.length) {
      found.push(`${project.name} has a tag that is neither type: nor scope:`);
    }
    for (const type of types) {
      if (!(type in projectTypes)) found.push(`${project.name} has the unknown type "${type}"`);
    }
    if (types[0] === 'app' && scopes[0] !== project.name.replace('@sluice/', '')) {
      found.push(`${project.name} is an app, so its scope must be its own name`);
    }
    return found;
  });
}

/** Whether specs of a project, and they alone, may import another one to be judged by it. */
export function isJudge(/** @type {ModelProject} */ from, /** @type {ModelProject} */ to) {
  return judgesOfSpecs[from.name]?.includes(to.name) === true;
}

/**
 * Why `from` may not depend on `to` at all, as the end of a sentence; undefined when it may.
 * @returns {string | undefined}
 */
export function dependencyRefusal(
  /** @type {ModelProject} */ from,
  /** @type {ModelProject} */ to,
) {
  if (isJudge(from, to)) return undefined;
  const only = onlyTheseProjects[from.name];
  if (only !== undefined && !only.includes(to.name))
    return `it may import ${only.join(', ')} alone`;
  const [fromType, toType] = [typeOf(from), typeOf(to)];
  const permission = importTable[fromType][toType];
  if (permission === undefined) return `${fromType} may not import ${toType}`;
  if (permission === 'own scope' && scopeOf(from) !== scopeOf(to)) {
    return `${fromType} may import ${toType} of its own scope alone`;
  }
  if (typeof permission === 'string') return undefined;
  if ('scopes' in permission) {
    return permission.scopes.includes(scopeOf(from) ?? '')
      ? undefined
      : `only ${permission.scopes.join(' and ')} may import ${toType}`;
  }
  return namesOf(permission, to) === undefined
    ? `${fromType} may import ${permission.map(namesAndProject).join('; ')} alone`
    : undefined;
}

/**
 * The names of a project that a permission of names lets pass; undefined when it has no line for it.
 * @param {readonly NamesOfProject[]} permission
 * @param {ModelProject} to
 */
export function namesOf(permission, to) {
  return permission.find(({ project }) => project === to.name)?.names;
}

/** @returns {string} */
function namesAndProject(/** @type {NamesOfProject} */ { names, project }) {
  return `${names.join(', ')} of ${project}`;
}

/**
 * Whether a permission is one of names.
 * @param {Permission | undefined} permission
 * @returns {permission is readonly NamesOfProject[]}
 */
export function isOfNames(permission) {
  return Array.isArray(permission);
}

/**
 * Why this one import of another project is refused, as the end of a sentence.
 * @param {ModelProject} from
 * @param {ModelProject} to
 * @param {{ isTest: boolean, typeOnly: boolean, names: readonly string[] }} how
 * @returns {string | undefined}
 */
export function importRefusal(from, to, how) {
  const refused = dependencyRefusal(from, to);
  if (refused !== undefined) return refused;
  if (isJudge(from, to)) {
    return how.isTest ? undefined : `${from.name} may import ${to.name} in specs alone`;
  }
  const [fromType, toType] = [typeOf(from), typeOf(to)];
  const permission = importTable[fromType][toType];
  if (permission === 'specs' && !how.isTest)
    return `${fromType} may import ${toType} in specs alone`;
  if (permission === 'types' && !how.typeOnly) {
    return `${fromType} may import types of ${toType} alone`;
  }
  if (permission === 'modules') {
    return how.names.length > 0 && how.names.every((name) => name.endsWith('Module'))
      ? undefined
      : `${fromType} may import the module class of ${toType} and nothing else of it`;
  }
  if (isOfNames(permission)) {
    const allowed = namesOf(permission, to) ?? [];
    return how.names.every((name) => allowed.includes(name))
      ? undefined
      : `${fromType} may import ${allowed.join(', ')} of ${to.name} alone`;
  }
  return undefined;
}

/**
 * @param {Workspace} workspace
 * @param {(project: ModelProject, file: SourceFile, one: Import) => string | undefined} check
 */
function forEachImport({ projects }, check) {
  return projects.flatMap((project) =>
    project.files.flatMap((file) =>
      file.imports.flatMap((one) => {
        const reason = check(project, file, one);
        return reason === undefined
          ? []
          : [`${file.path}:${one.line} imports ${one.specifier}: ${reason}`];
      }),
    ),
  );
}

/** The table of types, and the projects with a shorter list. */
export function tableViolations(/** @type {Workspace} */ workspace) {
  const byName = new Map(workspace.projects.map((project) => [project.name, project]));
  return forEachImport(workspace, (project, file, one) => {
    const target = byName.get(packageOf(one.specifier));
    if (target === undefined || target === project) return undefined;
    return importRefusal(project, target, { ...one, isTest: file.isTest });
  });
}

/** Frameworks, drivers and I/O stay out of domain and contract. */
export function packageViolations(/** @type {Workspace} */ workspace) {
  const internal = new Set(workspace.projects.map(({ name }) => name));
  return forEachImport(workspace, (project, file, one) => {
    if (one.specifier.startsWith('.') || file.isTest) return undefined;
    const allowed = allowedPackages[typeOf(project)];
    const name = one.specifier.startsWith('node:') ? one.specifier : packageOf(one.specifier);
    if (allowed === undefined || internal.has(name) || allowed.includes(name)) return undefined;
    if (allowedPackagesOfProject[project.name]?.includes(name) === true) return undefined;
    return `${typeOf(project)} code may not import it`;
  });
}

/** What is imported is declared in the importing project's own package.json. */
export function declarationViolations(/** @type {Workspace} */ workspace) {
  const { rootManifest } = workspace;
  return forEachImport(workspace, (project, file, one) => {
    const { specifier } = one;
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
    if (builtins.has(specifier)) return 'modules of Node are written with "node:"';
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } =
      project.manifest;
    const declared = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    const name = packageOf(specifier);
    if (name in declared) return undefined;
    // It is in the bundle, so nobody who serves that installs it.
    if (typeOf(project) === 'browser' && name in (devDependencies ?? {})) return undefined;
    if (file.isTest && name in { ...devDependencies, ...rootManifest.devDependencies }) {
      return undefined;
    }
    return file.isTest
      ? `${project.folder}/package.json does not declare it`
      : `${project.folder}/package.json does not declare it under "dependencies"`;
  });
}

/** A declared workspace dependency that nothing imports makes the Nx graph, and its cache, lie. */
export function unusedDependencyViolations(/** @type {Workspace} */ { projects }) {
  const internal = new Set(projects.map(({ name }) => name));
  return projects
    .filter(({ files }) => files.length > 0)
    .flatMap((project) => {
      const used = new Set(
        project.files.flatMap(({ imports }) => imports.map((one) => packageOf(one.specifier))),
      );
      const { dependencies, devDependencies } = project.manifest;
      return Object.keys({ ...dependencies, ...devDependencies })
        .filter((name) => internal.has(name) && !used.has(name))
        .map((name) => `${project.folder}/package.json declares ${name}, which nothing imports`);
    });
}

/** Another project is imported by its name, through its index; the own index is not imported. */
export function pathViolations(/** @type {Workspace} */ workspace) {
  const byName = new Map(workspace.projects.map((project) => [project.name, project]));
  return forEachImport(workspace, (project, file, one) => {
    const { specifier } = one;
    if (!specifier.startsWith('.')) {
      const target = byName.get(packageOf(specifier));
      if (target === undefined) return undefined;
      if (target === project) return 'a project does not import itself by its own name';
      const subpath = `.${specifier.slice(target.name.length)}`;
      return subpath === '.' || subpath in (target.manifest.exports ?? {})
        ? undefined
        : `only the index of ${target.name} may be imported`;
    }
    const path = posix.join(posix.dirname(file.path), specifier);
    if (!path.startsWith(`${project.folder}/`)) {
      // The tools of the repository are plain files in tools/, which belong to no project; a spec
      // may call them too, to build what it then starts.
      return (typeOf(project) === 'tool' || file.isTest) && /^tools\/[^/]+\.mjs$/u.test(path)
        ? undefined
        : 'a relative import may not leave the project';
    }
    if (!file.isTest && isTestFile(path.replace(/\.js$/u, '.ts'))) {
      return 'product code does not import what is there for tests';
    }
    return path === `${project.folder}/src/index.js` && !file.isTest
      ? 'a project does not import through its own index'
      : undefined;
  });
}

/**
 * The cycles of a graph, each once, as `a → b → a`.
 * @param {ReadonlyMap<string, Iterable<string>>} edges
 */
export function cycles(edges) {
  /** @type {string[]} */
  const found = [];
  const finished = new Set();
  const visit = (/** @type {string} */ node, /** @type {string[]} */ trail) => {
    const start = trail.indexOf(node);
    if (start >= 0) {
      found.push([...trail.slice(start), node].join(' → '));
      return;
    }
    if (finished.has(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...trail, node]);
    finished.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}

/** No cycle between projects (specs aside), none between the files of a project (types aside). */
export function cycleViolations(/** @type {Workspace} */ { projects }) {
  const names = new Set(projects.map(({ name }) => name));
  const betweenProjects = new Map(
    projects.map(({ name, files }) => [
      name,
      new Set(
        files
          .filter(({ isTest }) => !isTest)
          .flatMap(({ imports }) => imports.map((one) => packageOf(one.specifier)))
          .filter((target) => names.has(target) && target !== name),
      ),
    ]),
  );
  const betweenFiles = new Map(
    projects
      .flatMap(({ files }) => files)
      .map(({ path, imports }) => [
        path,
        imports
          .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !typeOnly)
          .map(({ specifier }) =>
            posix.join(posix.dirname(path), specifier).replace(/\.js$/u, '.ts'),
          ),
      ]),
  );
  return [...cycles(betweenProjects), ...cycles(betweenFiles)];
}

/**
 * The Nx graph decides what the cache believes: it must know every import between projects, and
 * every edge of it must be one that the table allows in some way.
 * @param {Workspace} workspace
 * @param {ReadonlyMap<string, readonly string[]>} graph project name → names of what it depends on
 */
export function graphViolations({ projects }, graph) {
  const byName = new Map(projects.map((project) => [project.name, project]));
  return projects.flatMap((project) => {
    const edges = graph.get(project.name);
    if (edges === undefined) return [`${project.name} is not in the Nx project graph`];
    const imported = new Set(
      project.files.flatMap(({ imports }) => imports.map((one) => packageOf(one.specifier))),
    );
    const unknown = [...imported]
      .filter((name) => byName.has(name) && name !== project.name && !edges.includes(name))
      .map((name) => `the Nx project graph does not know that ${project.name} imports ${name}`);
    const isStarted = (/** @type {string} */ name) =>
      !imported.has(name) && startedBy.some(({ starts }) => starts === name);
    const refused = edges.flatMap((name) => {
      // Whoever starts a process imports nothing of it.
      const target = isStarted(name) ? undefined : byName.get(name);
      const reason = target === undefined ? undefined : dependencyRefusal(project, target);
      return reason === undefined ? [] : [`${project.name} depends on ${name}: ${reason}`];
    });
    const started = startedBy
      .filter(({ name, from, starts }) => {
        const imports = project.files.flatMap((file) => file.imports);
        const calls = imports.some((one) => one.specifier === from && one.names.includes(name));
        return calls && project.name !== starts && !edges.includes(starts);
      })
      .map(
        ({ starts }) => `${project.name} starts ${starts}: declare it in nx.implicitDependencies`,
      );
    return [...unknown, ...refused, ...started];
  });
}

/** Every rule that needs nothing but the files. @returns {string[]} */
export function allViolations(/** @type {Workspace} */ workspace) {
  return [
    tagViolations,
    tableViolations,
    packageViolations,
    declarationViolations,
    unusedDependencyViolations,
    pathViolations,
    cycleViolations,
  ].flatMap((check) => check(workspace));
}
