import { upstreamSettings } from '@sluice/messaging';
import { Variable } from '@sluice/service';
import { IsInt, Max, Min } from 'class-validator';

/** D-02: there are 32 reply partitions, one for each instance. */
const ORDINAL_MAX = 31;

/** The services that edge calls, and which of the edges this one is. */
export class EdgeUpstreams extends upstreamSettings('edge') {
  /** Replies come on the partition of this number; no two edges may have the same (D-02). */
  @Variable('EDGE_ORDINAL', { meaning: 'the number of this instance, 0 to 31' })
  @IsInt()
  @Min(0)
  @Max(ORDINAL_MAX)
  readonly ordinal: number = 0;
}
