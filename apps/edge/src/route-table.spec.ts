import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { openApiDocument } from '@sluice/parameters';
import { routes } from './operations.js';
import { RouteTable, routesOf } from './route-table.js';

@Controller('v1/things')
class Things {
  @Post()
  make(): void {}

  @Get(':id')
  read(): void {}

  notRouted(): void {}
}

@Controller()
class Searches {
  @Get(['v1/search', 'v3/search'])
  search(): void {}
}

describe('the routes of controllers', () => {
  it('are what they declare, in their order', () => {
    expect(routesOf([Things, Searches])).toEqual([
      { method: 'POST', path: '/v1/things' },
      { method: 'GET', path: '/v1/things/:id' },
      { method: 'GET', path: '/v1/search' },
      { method: 'GET', path: '/v3/search' },
    ]);
  });
});

describe('a path', () => {
  const table = new RouteTable(routesOf([Things, Searches]));

  it.each(['/v1/things', '/v1/things/', '//v1/things', '/v1/things/1', '/v3/search'])(
    '%s has a route',
    (path) => expect(table.has(path)).toBe(true),
  );

  it.each(['/', '/v1', '/v1/thing', '/v2/things', '/v1/things/1/parts', '/v3/search/1'])(
    '%s has none',
    (path) => expect(table.has(path)).toBe(false),
  );
});

describe('what edge serves', () => {
  it('is what the OpenAPI document describes', () => {
    const { paths } = openApiDocument() as { paths: Readonly<Record<string, object>> };
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    // What browsers ask before a page of another origin may send something is nobody's to call.
    const called = routes.filter(({ method }) => method !== 'OPTIONS');
    const served = called.map(({ method, path }) => `${method} ${path}`);
    expect(served.toSorted()).toEqual(described.toSorted());
  });
});
