import { describe, expect, it } from '@jest/globals';
import { isTestFile } from '../../source-files.mjs';
import { type ProjectType, projectTypes } from './tables.mjs';
import { readNxGraph } from './nx-graph.mjs';
import {
  allViolations,
  cycleViolations,
  declarationViolations,
  graphViolations,
  packageViolations,
  pathViolations,
  tableViolations,
  tagViolations,
  unusedDependencyViolations,
} from './violations.mjs';
import { readImports, readWorkspace } from './workspace-model.mjs';
import type { ModelProject, Workspace } from './workspace-model.mjs';

describe('this workspace', () => {
  const workspace = readWorkspace();

  it('was read: projects with files with imports', () => {
    expect(workspace.projects.length).toBeGreaterThan(20);
    const imports = workspace.projects.flatMap(({ files }) =>
      files.flatMap((file) => file.imports),
    );
    expect(imports.length).toBeGreaterThan(100);
  });

  it('breaks no rule', () => {
    expect(allViolations(workspace)).toEqual([]);
  });

  it('is what Nx believes it to be', () => {
    expect(graphViolations(workspace, readNxGraph())).toEqual([]);
  });
});

interface Planted {
  name?: string;
  tags?: string[];
  dependencies?: string[];
  devDependencies?: string[];
  files?: Record<string, string>;
}

/** A project of a planted workspace; its files are real source texts. */
function project(folder: string, planted: Planted): ModelProject {
  const versions = (names: string[] = []) => Object.fromEntries(names.map((name) => [name, '1']));
  const name = planted.name ?? `@sluice/${folder.split('/').at(-1) ?? ''}`;
  const dependencies = versions(planted.dependencies);
  const devDependencies = versions(planted.devDependencies);
  return {
    name,
    folder,
    tags: planted.tags ?? [],
    manifest: { name, exports: { '.': {} }, dependencies, devDependencies },
    files: Object.entries(planted.files ?? {}).map(([file, text]) => ({
      path: `${folder}/src/${file}`,
      isTest: isTestFile(file),
      imports: readImports(file, text),
    })),
  };
}

const money = project('libs/money', { tags: ['type:contract', 'scope:any'] });
const eventStore = project('libs/event-store', { tags: ['type:platform', 'scope:any'] });
const service = project('libs/service', { tags: ['type:platform', 'scope:any'] });
const testing = project('libs/testing', { tags: ['type:testing', 'scope:any'] });
const connectors = project('libs/connectors', { tags: ['type:connector', 'scope:any'] });
const localKafka = project('libs/local-kafka', { tags: ['type:testing', 'scope:any'] });
const widget = project('apps/widget', { tags: ['type:browser', 'scope:widget'] });
const demoShop = project('apps/demo-shop', { tags: ['type:shop', 'scope:demo-shop'] });
const bench = project('tools/bench', { tags: ['type:tool', 'scope:any'] });
const payments = project('apps/payments', { tags: ['type:app', 'scope:payments'] });
const domainPayments = project('libs/domain/payments', {
  name: '@sluice/domain-payments',
  tags: ['type:domain', 'scope:payments'],
});
const threeDSecure = project('libs/domain/three-d-secure', {
  name: '@sluice/domain-three-d-secure',
  tags: ['type:domain', 'scope:risk'],
});
const otherProjects = [
  threeDSecure,
  money,
  eventStore,
  service,
  testing,
  connectors,
  widget,
  demoShop,
  bench,
  payments,
  domainPayments,
  localKafka,
];

function workspaceWith(...planted: ModelProject[]): Workspace {
  const names = new Set(planted.map(({ name }) => name));
  return {
    projects: [...planted, ...otherProjects.filter(({ name }) => !names.has(name))],
    rootManifest: { name: 'root', devDependencies: { '@jest/globals': '1' } },
  };
}

/** What the table says about one import statement in one file of a project with these tags. */
function tableSays(tags: string[], statement: string, file = 'file.ts', name = '@sluice/planted') {
  return tableViolations(
    workspaceWith(project('apps/planted', { name, tags, files: { [file]: statement } })),
  );
}

describe('tags', () => {
  it.each([
    [[], 'has 0 type: tags'],
    [['type:app', 'type:tool', 'scope:any'], 'has 2 type: tags'],
    [['type:tool'], 'has 0 scope: tags'],
    [['type:tool', 'scope:any', 'scope:edge'], 'has 2 scope: tags'],
    [['type:tool', 'scope:any', 'team:blue'], 'neither type: nor scope:'],
    [['type:helper', 'scope:any'], 'unknown type "helper"'],
    [['type:app', 'scope:any'], 'its scope must be its own name'],
  ])('%j is refused', (tags, reason) => {
    const found = tagViolations(workspaceWith(project('libs/planted', { tags })));
    expect(found.join('\n')).toContain(reason);
  });

  it('one type and one scope are accepted', () => {
    expect(tagViolations(workspaceWith())).toEqual([]);
  });

  it('every type is explained', () => {
    expect(Object.values(projectTypes).every((sentence) => sentence.length > 10)).toBe(true);
  });
});

describe('the table of types', () => {
  const app = ['type:app', 'scope:edge'];
  const paymentsApp = ['type:app', 'scope:payments'];
  const domain = ['type:domain', 'scope:payments'];
  const composition = ['type:composition', 'scope:any'];
  const shop = ['type:shop', 'scope:planted'];
  const connector = ['type:connector', 'scope:any'];
  const contract = ['type:contract', 'scope:any'];
  const platform = ['type:platform', 'scope:any'];
  const testingType = ['type:testing', 'scope:any'];
  const tool = ['type:tool', 'scope:any'];

  it.each([
    ['app → app', app, `import { PaymentsModule } from '@sluice/payments'`],
    ['app → domain of another scope', app, `import { decide } from '@sluice/domain-payments'`],
    ['app → connector', app, `import { simulator } from '@sluice/connectors'`],
    ['app → testing', app, `import { fixedClock } from '@sluice/testing'`],
    ['app → what runs in browsers', paymentsApp, `import { x } from '@sluice/widget'`],
    [
      'browser → platform',
      ['type:browser', 'scope:any'],
      `import { Clock } from '@sluice/service'`,
    ],
    ['shop → contract', shop, `import { parseAmount } from '@sluice/money'`],
    ['shop → contract, types', shop, `import type { Amount } from '@sluice/money'`],
    ['app → shop', app, `import { startDemoShop } from '@sluice/demo-shop'`],
    ['app → tool', app, `import { run } from '@sluice/bench'`],
    ['composition → domain', composition, `import { decide } from '@sluice/domain-payments'`],
    ['composition → connector', composition, `import { simulator } from '@sluice/connectors'`],
    [
      'composition → more of an app than its module',
      composition,
      `import { PaymentsModule, handle } from '@sluice/payments'`,
    ],
    ['composition → all of an app', composition, `import * as all from '@sluice/payments'`],
    ['composition → an app for its effects', composition, `import '@sluice/payments'`],
    ['domain → platform', domain, `import { EventStore } from '@sluice/event-store'`],
    ['domain → platform, types', domain, `import type { EventStore } from '@sluice/event-store'`],
    ['contract → platform', contract, `import { Clock } from '@sluice/service'`],
    ['contract → domain', contract, `import { decide } from '@sluice/domain-payments'`],
    ['platform → connector', platform, `import { simulator } from '@sluice/connectors'`],
    ['connector → platform', connector, `import { EventStore } from '@sluice/event-store'`],
    ['connector → more of service', connector, `import { createPool } from '@sluice/service'`],
    ['testing → domain', testingType, `import { decide } from '@sluice/domain-payments'`],
    ['re-export', app, `export { simulator } from '@sluice/connectors'`],
    ['dynamic import', app, `await import('@sluice/connectors')`],
    ['import type in an expression', app, `let c: import('@sluice/connectors').Connector`],
  ])('refuses %s', (_name, tags, statement) => {
    expect(tableSays(tags, statement)).toHaveLength(1);
  });

  it.each([
    ['contract → testing', contract],
    ['platform → testing', platform],
    ['testing → connector', testingType],
  ])('refuses %s in specs too', (_name, tags) => {
    const target = tags === testingType ? 'connectors' : 'testing';
    const statement = `import { something } from '@sluice/${target}'`;
    expect(tableSays(tags, statement, 'file.spec.ts')).toHaveLength(1);
  });

  const libraries: ProjectType[] = ['domain', 'contract', 'platform', 'connector', 'testing'];

  it.each(libraries)('refuses a tool to %s, in specs too', (type) => {
    const tags = [`type:${type}`, 'scope:any'];
    for (const file of ['file.ts', 'file.spec.ts']) {
      expect(tableSays(tags, `import { run } from '@sluice/bench'`, file)).toHaveLength(1);
    }
  });

  it.each([
    ['app → contract', app, `import { parseAmount } from '@sluice/money'`],
    ['app → platform', app, `import { EventStore } from '@sluice/event-store'`],
    ['edge → where the widget is', app, `import { widgetBundle } from '@sluice/widget'`],
    ['app → own domain', paymentsApp, `import { decide } from '@sluice/domain-payments'`],
    ['payments → connector', paymentsApp, `import { simulator } from '@sluice/connectors'`],
    ['composition → module', composition, `import { PaymentsModule } from '@sluice/payments'`],
    ['composition → shop', composition, `import { startDemoShop } from '@sluice/demo-shop'`],
    ['domain → contract', domain, `import { parseAmount } from '@sluice/money'`],
    ['connector → HTTP client', connector, `import { HttpClient } from '@sluice/service'`],
    ['testing → domain types', testingType, `import type { State } from '@sluice/domain-payments'`],
    ['testing → testing', testingType, `import { startLocalKafka } from '@sluice/local-kafka'`],
    ['tool → anything', tool, `import { decide } from '@sluice/domain-payments'`],
  ])('allows %s', (_name, tags, statement) => {
    expect(tableSays(tags, statement)).toEqual([]);
  });

  it('allows testing in specs', () => {
    const statement = `import { fixedClock } from '@sluice/testing'`;
    expect(tableSays(app, statement, 'file.spec.ts')).toEqual([]);
    expect(tableSays(domain, statement, 'file.spec.ts')).toEqual([]);
  });

  it('keeps the simulator apart from money, in specs too', () => {
    const tags = ['type:app', 'scope:simulator'];
    for (const file of ['file.ts', 'file.spec.ts']) {
      const statement = `import { parseAmount } from '@sluice/money'`;
      expect(tableSays(tags, statement, file, '@sluice/simulator')).toHaveLength(1);
    }
    const allowed = `import { HttpClient } from '@sluice/service'`;
    expect(tableSays(tags, allowed, 'file.ts', '@sluice/simulator')).toEqual([]);
  });

  it('lets specs of the simulator hold its messages against our tables, and nothing else of it', () => {
    const tags = ['type:app', 'scope:simulator'];
    const statement = `import { checkMessage } from '@sluice/domain-three-d-secure'`;
    expect(tableSays(tags, statement, 'file.spec.ts', '@sluice/simulator')).toEqual([]);
    expect(tableSays(tags, statement, 'file.ts', '@sluice/simulator')).toEqual([
      expect.stringContaining('in specs alone'),
    ]);
    expect(tableSays(tags, statement, 'file.spec.ts', '@sluice/other')).toHaveLength(1);
  });
});

describe('packages', () => {
  const says = (type: string, statement: string, name = '@sluice/planted', file = 'file.ts') =>
    packageViolations(
      workspaceWith(
        project('libs/planted', {
          name,
          tags: [`type:${type}`, 'scope:any'],
          files: { [file]: statement },
        }),
      ),
    );

  it.each(['@nestjs/common', 'typeorm', 'pg', 'kafkajs', 'undici', 'node:fs', 'node:fs/promises'])(
    '%s is refused in domain and contract',
    (name) => {
      expect(says('domain', `import { x } from '${name}'`)).toHaveLength(1);
      expect(says('contract', `import { x } from '${name}'`)).toHaveLength(1);
      expect(says('platform', `import { x } from '${name}'`)).toEqual([]);
    },
  );

  it('class-validator is allowed in parameters alone', () => {
    const statement = `import { isIBAN } from 'class-validator'`;
    expect(says('contract', statement)).toHaveLength(1);
    expect(says('contract', statement, '@sluice/parameters')).toEqual([]);
  });

  it('specs read files and use test libraries', () => {
    const statement = `import { readFileSync } from 'node:fs'; import fc from 'fast-check'`;
    expect(says('domain', statement, '@sluice/planted', 'file.spec.ts')).toEqual([]);
  });
});

describe('declarations', () => {
  const says = (planted: Planted) =>
    declarationViolations(
      workspaceWith(project('libs/planted', { tags: ['type:platform', 'scope:any'], ...planted })),
    );

  it('refuses a package that is there only because another one depends on it', () => {
    expect(says({ files: { 'file.ts': `import { Pool } from 'pg'` } })).toHaveLength(1);
    expect(says({ files: { 'file.ts': `import type { Pool } from 'pg'` } })).toHaveLength(1);
    const files = { 'file.ts': `import { Pool } from 'pg'` };
    expect(says({ files, dependencies: ['pg'] })).toEqual([]);
  });

  it('refuses a workspace project that is not declared', () => {
    const files = { 'file.ts': `import { parseAmount } from '@sluice/money'` };
    expect(says({ files })).toHaveLength(1);
    expect(says({ files, dependencies: ['@sluice/money'] })).toEqual([]);
  });

  it('gives specs, and only specs, the development dependencies', () => {
    const statement = `import { fixedClock } from '@sluice/testing'`;
    const devDependencies = ['@sluice/testing'];
    expect(says({ files: { 'file.spec.ts': statement }, devDependencies })).toEqual([]);
    expect(says({ files: { 'file.ts': statement }, devDependencies })).toHaveLength(1);
    const jest = `import { it } from '@jest/globals'`;
    expect(says({ files: { 'file.spec.ts': jest } })).toEqual([]);
    expect(says({ files: { 'file.ts': jest } })).toHaveLength(1);
  });

  it('has what is bundled for browsers among the development dependencies', () => {
    const planted = {
      files: { 'file.ts': `import { h } from 'preact'` },
      devDependencies: ['preact'],
    };
    expect(says({ ...planted, tags: ['type:browser', 'scope:any'] })).toEqual([]);
    expect(says(planted)).toHaveLength(1);
  });

  it('wants modules of Node with their prefix', () => {
    expect(says({ files: { 'file.ts': `import fs from 'fs'` } })).toHaveLength(1);
    expect(says({ files: { 'file.ts': `import fs from 'node:fs'` } })).toEqual([]);
  });

  it('refuses a declared workspace dependency that nothing imports', () => {
    const planted = (text: string) =>
      project('libs/planted', { dependencies: ['@sluice/money'], files: { 'file.ts': text } });
    expect(unusedDependencyViolations(workspaceWith(planted('export {}')))).toHaveLength(1);
    const used = planted(`import { parseAmount } from '@sluice/money'`);
    expect(unusedDependencyViolations(workspaceWith(used))).toEqual([]);
  });
});

describe('paths', () => {
  const says = (statement: string, file = 'file.ts', folder = 'libs/planted', type = 'platform') =>
    pathViolations(
      workspaceWith(
        project(folder, { tags: [`type:${type}`, 'scope:any'], files: { [file]: statement } }),
      ),
    );

  it.each([
    ['a deep import', `import { x } from '@sluice/money/src/amount.js'`],
    ['itself by its own name', `import { x } from '@sluice/planted'`],
    ['its own index', `import { x } from './index.js'`],
    ['a fixture', `import { x } from './payment-fixture.js'`],
    ['a path into another project', `import { x } from '../../money/src/index.js'`],
  ])('refuses %s', (_name, statement) => {
    expect(says(statement)).toHaveLength(1);
  });

  it('allows a neighbour, and the own index in specs', () => {
    expect(says(`import { x } from './neighbour.js'`)).toEqual([]);
    expect(says(`import { x } from './index.js'`, 'file.spec.ts')).toEqual([]);
  });

  it('allows the tools of the repository to tool projects and specs alone', () => {
    const statement = `import { readProjects } from '../../projects.mjs'`;
    expect(says(statement, 'file.ts', 'tools/planted', 'tool')).toEqual([]);
    expect(says(statement, 'file.spec.ts', 'tools/planted', 'app')).toEqual([]);
    expect(says(statement, 'file.ts', 'tools/planted', 'app')).toHaveLength(1);
  });
});

describe('cycles', () => {
  it('between projects are refused', () => {
    const one = project('libs/one', { files: { 'a.ts': `import { b } from '@sluice/two'` } });
    const two = project('libs/two', { files: { 'b.ts': `import { a } from '@sluice/one'` } });
    expect(cycleViolations(workspaceWith(one, two))).toEqual([
      '@sluice/one → @sluice/two → @sluice/one',
    ]);
  });

  it('through a spec are none', () => {
    const one = project('libs/one', { files: { 'a.spec.ts': `import { b } from '@sluice/two'` } });
    const two = project('libs/two', { files: { 'b.ts': `import { a } from '@sluice/one'` } });
    expect(cycleViolations(workspaceWith(one, two))).toEqual([]);
  });

  it('between files are refused, unless one direction is types alone', () => {
    const files = { 'a.ts': `import { b } from './b.js'`, 'b.ts': `import { a } from './a.js'` };
    expect(cycleViolations(workspaceWith(project('libs/one', { files })))).toHaveLength(1);
    const typed = { ...files, 'b.ts': `import type { a } from './a.js'` };
    expect(cycleViolations(workspaceWith(project('libs/one', { files: typed })))).toEqual([]);
  });
});

describe('the Nx project graph', () => {
  const planted = project('libs/planted', {
    tags: ['type:contract', 'scope:any'],
    files: { 'a.ts': `import { x } from '@sluice/money'` },
  });
  const complete = new Map(otherProjects.map(({ name }) => [name, [] as string[]]));

  it('must know every project and every import', () => {
    const workspace = workspaceWith(planted);
    expect(graphViolations(workspace, complete)[0]).toContain('is not in the Nx project graph');
    const ignorant = new Map([...complete, [planted.name, []]]);
    expect(graphViolations(workspace, ignorant)[0]).toContain('does not know');
    const knowing = new Map([...complete, [planted.name, [money.name]]]);
    expect(graphViolations(workspace, knowing)).toEqual([]);
  });

  it('must know which project is started as a process', () => {
    const starting = project('tools/planted', {
      tags: ['type:tool', 'scope:any'],
      files: { 'a.spec.ts': `import { startSandbox } from '@sluice/testing'` },
    });
    const ignorant = new Map([...complete, [starting.name, [testing.name]]]);
    expect(graphViolations(workspaceWith(starting), ignorant)).toEqual([
      '@sluice/planted starts @sluice/sandbox: declare it in nx.implicitDependencies',
    ]);
    const knowing = new Map([...complete, [starting.name, [testing.name, '@sluice/sandbox']]]);
    expect(graphViolations(workspaceWith(starting), knowing)).toEqual([]);
  });

  it('may have no edge that the table forbids', () => {
    const forbidden = new Map([...complete, [planted.name, [money.name, eventStore.name]]]);
    expect(graphViolations(workspaceWith(planted), forbidden)).toEqual([
      '@sluice/planted depends on @sluice/event-store: contract may not import platform',
    ]);
  });
});
