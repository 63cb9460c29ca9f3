import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

/** One route, as a controller declares it. */
export interface Route {
  readonly method: string;
  /** With a slash in front, and `:name` for a part that varies. */
  readonly path: string;
}

/** What controllers declare with `@Controller`, `@Get` and `@Post`: the one list of routes there is. */
export function routesOf(controllers: readonly Type[]): readonly Route[] {
  return controllers.flatMap((controller) => {
    const prototype = controller.prototype as Readonly<Record<string, unknown>>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) =>
      declaredBy(controller, prototype[name]),
    );
  });
}

function declaredBy(controller: Type, handler: unknown): readonly Route[] {
  if (typeof handler !== 'function') return [];
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  if (method === undefined) return [];
  const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const declared = Reflect.getMetadata(PATH_METADATA, handler) as string | readonly string[];
  return [declared].flat().map((path) => {
    const parts = [...partsOf(prefix), ...partsOf(path)];
    return { method: RequestMethod[method], path: `/${parts.join('/')}` };
  });
}

/** Finds out whether a path has a route. */
export class RouteTable {
  readonly #paths: readonly (readonly string[])[];

  constructor(routes: readonly Route[]) {
    this.#paths = routes.map(({ path }) => partsOf(path));
  }

  /** Whether there is a route at this path, for whatever method. */
  has(path: string): boolean {
    const asked = partsOf(path);
    return this.#paths.some(
      (parts) =>
        parts.length === asked.length &&
        parts.every((part, index) => part.startsWith(':') || part === asked[index]),
    );
  }
}

/** Trailing and doubled slashes are ignored, as in the router (see the listener). */
function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}
