import { withGeneratedBlock } from '../generated-block.js';
import { everywhere } from './service-needs.js';
import { indented, linesOf } from './text.js';

/** The component's `rules.yaml`, whose alert about a missing service must know which there are. */
export function alertRules(text: string): string {
  const installations = 'group by (namespace) (last_over_time(sluice_build_info[1d]))';
  const expected = everywhere.map(
    (name) => `label_replace(${installations}, "service", "${name}", "", "")`,
  );
  const block = [
    'expr: |',
    '  (',
    ...expected.map((one, index) => `    ${index === 0 ? '' : 'or '}${one}`),
    '  ) unless on (namespace, service) sluice_build_info',
    '  or label_replace(absent(sluice_build_info), "service", "any service", "", "")',
  ];
  return withGeneratedBlock(text, 'services', linesOf(indented(10, block)));
}
