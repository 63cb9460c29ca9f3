import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { Refused } from './answer.js';
import { UNAVAILABLE } from './refusals.js';

/** How operations query other services: if there is no answer, the request is refused. */
export class QueryClient implements Queries {
  constructor(private readonly queries: Queries) {}

  /** Throws Refused when there is no answer (D-35). */
  async ask<Answer>(service: string, query: string, parameters: object): Promise<Answer> {
    try {
      return await this.queries.ask<Answer>(service, query, parameters);
    } catch (error) {
      if (error instanceof QueryUnavailable) throw new Refused(UNAVAILABLE);
      throw error;
    }
  }
}
