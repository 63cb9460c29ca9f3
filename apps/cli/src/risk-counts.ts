import { RecountedPayers } from '@sluice/risk';
import type { Answer } from './answer.js';
import { counted } from './progress.js';
import type { ExecuteFlag } from './risk-session.js';
import type { Session } from './session.js';

const WAITING = 'While it is done, payments of channels with rules are not taken.';

/** `risk rebuild-counts`: what payers have done, again from what was judged; dry run unless told. */
export async function rebuildCounts(session: Session, { execute }: ExecuteFlag): Promise<Answer> {
  const payers = new RecountedPayers(session.database('risk', 'owner'));
  const total = await payers.count();
  const assessments = counted(total, 'assessment');
  if (execute !== true) {
    const text = `${assessments} would be counted again. ${WAITING}\nNothing was done. Add --execute to do it.`;
    return { data: { executed: false, assessments: total }, text };
  }
  let count = 0;
  await session.counting({ unit: 'assessments', total }, (passed) =>
    payers.recount((done) => {
      passed(done);
      count = done;
    }),
  );
  const text = `Windows and histories have ${counted(count, 'assessment')} again.`;
  return { data: { executed: true, assessments: count }, text };
}
