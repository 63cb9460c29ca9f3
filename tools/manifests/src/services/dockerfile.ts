import { serviceNames, serviceRow } from '@sluice/contracts';
import { withGeneratedBlock } from '../generated-block.js';

/** As whom the services run. */
const OWNER = '-o 10001 -g 10001';

/** `docker/Dockerfile`, with the folders at which services mount what they write. */
export function dockerfile(text: string): string {
  const folders = serviceNames.flatMap((name) => serviceRow(name).volume?.path ?? []);
  return withGeneratedBlock(text, 'volumes', `RUN install -d ${OWNER} ${folders.join(' ')}`);
}
