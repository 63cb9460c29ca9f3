import {
  calledBy,
  type Callees,
  type ServiceName,
  serviceRow,
  urlsVariableOf,
} from '@sluice/contracts';
import { urlList, Variable } from '@sluice/service';
import { ArrayMinSize, IsDefined } from 'class-validator';

/** Under which addresses a service finds each of those that it may ask. */
export type UpstreamUrls<Name extends ServiceName> = Readonly<
  Record<Callees<Name>, readonly string[]>
>;

/** The settings that say where those are that a service may ask, as the table of services has them. */
export function upstreamSettings<Name extends ServiceName>(
  name: Name,
): new () => UpstreamUrls<Name> {
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its properties follow
  class Upstreams {}
  for (const callee of calledBy(name)) {
    const byNumber = serviceRow(callee).instances === 'numbered' ? ', by number' : '';
    const meaning = `the instances of ${callee}${byNumber}`;
    Variable(urlsVariableOf(callee), { parse: urlList, meaning })(Upstreams.prototype, callee);
    IsDefined()(Upstreams.prototype, callee);
    ArrayMinSize(1)(Upstreams.prototype, callee);
  }
  return Upstreams as new () => UpstreamUrls<Name>;
}
