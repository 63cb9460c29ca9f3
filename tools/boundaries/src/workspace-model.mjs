// The workspace as plain data: projects, their tags, their files and what each file imports. The
// checks are functions of this data, so that a spec can plant a violation without writing files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { readManifest, readProjects, workspaceRoot } from '../../projects.mjs';
import { isTestFile, sourceFilesBelow } from '../../source-files.mjs';

/**
 * @typedef {import('../../projects.mjs').Manifest} Manifest
 *
 * @typedef {object} Import one import or re-export statement, or one dynamic import
 * @property {string} specifier as written
 * @property {readonly string[]} names what is imported; `*` is everything, `default` the default
 * @property {boolean} typeOnly whether nothing of it is left at run time
 * @property {number} line
 *
 * @typedef {object} SourceFile
 * @property {string} path relative to the root, with slashes
 * @property {boolean} isTest
 * @property {readonly Import[]} imports
 *
 * @typedef {object} ModelProject
 * @property {string} name
 * @property {string} folder relative to the root
 * @property {readonly string[]} tags
 * @property {Manifest} manifest
 * @property {readonly SourceFile[]} files
 *
 * @typedef {object} Workspace
 * @property {readonly ModelProject[]} projects
 * @property {Manifest} rootManifest
 */

/** @returns {{ names: string[], typeOnly: boolean }} */
function importedNames(/** @type {ts.ImportClause | undefined} */ clause) {
  if (clause === undefined) return { names: [], typeOnly: false };
  const names = clause.name === undefined ? [] : ['default'];
  const bindings = clause.namedBindings;
  if (bindings === undefined) return { names, typeOnly: isTypeClause(clause) };
  if (ts.isNamespaceImport(bindings)) {
    return { names: [...names, '*'], typeOnly: isTypeClause(clause) };
  }
  const elements = bindings.elements.map((element) => (element.propertyName ?? element.name).text);
  const allTypes =
    names.length === 0 &&
    bindings.elements.length > 0 &&
    bindings.elements.every((element) => element.isTypeOnly);
  return { names: [...names, ...elements], typeOnly: isTypeClause(clause) || allTypes };
}

function isTypeClause(/** @type {ts.ImportClause} */ clause) {
  return clause.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

/** @returns {{ names: string[], typeOnly: boolean }} */
function reexportedNames(/** @type {ts.ExportDeclaration} */ declaration) {
  const clause = declaration.exportClause;
  if (clause === undefined || ts.isNamespaceExport(clause)) {
    return { names: ['*'], typeOnly: declaration.isTypeOnly };
  }
  const names = clause.elements.map((element) => (element.propertyName ?? element.name).text);
  const allTypes = clause.elements.length > 0 && clause.elements.every((one) => one.isTypeOnly);
  return { names, typeOnly: declaration.isTypeOnly || allTypes };
}

/** Every import of a source text. @returns {Import[]} */
export function readImports(/** @type {string} */ path, /** @type {string} */ text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Import[]} */
  const imports = [];
  const add = (
    /** @type {ts.Node} */ node,
    /** @type {ts.Node | undefined} */ specifier,
    /** @type {{ names: string[], typeOnly: boolean }} */ what,
  ) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    imports.push({ specifier: specifier.text, ...what, line: line + 1 });
  };
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isImportDeclaration(node)) {
      add(node, node.moduleSpecifier, importedNames(node.importClause));
    } else if (ts.isExportDeclaration(node)) {
      add(node, node.moduleSpecifier, reexportedNames(node));
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node, node.argument.literal, { names: ['*'], typeOnly: true });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node, node.arguments[0], { names: ['*'], typeOnly: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

/** @returns {SourceFile} */
function readSourceFile(/** @type {string} */ root, /** @type {string} */ path) {
  const imports = readImports(path, readFileSync(join(root, path), 'utf8'));
  return { path, isTest: isTestFile(path), imports };
}

/** The projects without their files: all that the lint configuration needs. @returns {ModelProject[]} */
export function readProjectsWithTags(root = workspaceRoot) {
  return readProjects(root).map(({ name, folder, manifest }) => ({
    name,
    folder,
    tags: manifest.nx?.tags ?? [],
    manifest,
    files: [],
  }));
}

/** Reads the whole workspace. @returns {Workspace} */
export function readWorkspace(root = workspaceRoot) {
  const projects = readProjectsWithTags(root).map((project) => ({
    ...project,
    files: sourceFilesBelow(root, project.folder).map((path) => readSourceFile(root, path)),
  }));
  return { projects, rootManifest: readManifest(root) };
}
