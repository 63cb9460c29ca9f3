import { usage } from './exit-codes.js';

/** Where one group is to go on in one partition. */
export interface PlannedOffset {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

const OFFSET = /^[0-9]{1,18}$/;
const PARTITION = /^[0-9]{1,6}$/;
const COMMENT = '#';

/** Reads an offset. */
export function offsetOf(text: string, where: string): bigint {
  if (!OFFSET.test(text)) throw usage(`${where}: "${text}" is no offset.`);
  return BigInt(text);
}

/**
 * The plan as CSV: `topic,partition,offset`, with the group in front when several are meant. The
 * same lines as those of kafka-consumer-groups.
 */
export function planToCsv(plan: readonly PlannedOffset[], withGroups: boolean): string {
  return plan
    .map(({ group, topic, partition, offset }) => {
      const fields = [topic, String(partition), offset.toString()];
      return (withGroups ? [quoted(group), ...fields] : fields).join(',');
    })
    .join('\n');
}

/** Reads such a plan; `onlyGroup` is meant by lines that name none. */
export function planFromCsv(text: string, onlyGroup: string | undefined): readonly PlannedOffset[] {
  const plan: PlannedOffset[] = [];
  const seen = new Set<string>();
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith(COMMENT)) return;
    const planned = lineOf(line, index + 1, onlyGroup);
    const place = JSON.stringify([planned.group, planned.topic, planned.partition]);
    if (seen.has(place)) throw usage(`Line ${index + 1} of the plan repeats a partition.`);
    seen.add(place);
    plan.push(planned);
  });
  if (plan.length === 0) throw usage('The plan has no lines.');
  return plan;
}

function lineOf(line: string, number: number, onlyGroup: string | undefined): PlannedOffset {
  const fields = fieldsOf(line);
  const group = fields.length === 4 ? fields[0] : onlyGroup;
  const [topic = '', partition = '', offset = ''] = fields.slice(-3);
  if (fields.length < 3 || fields.length > 4 || topic === '' || !PARTITION.test(partition)) {
    throw usage(`Line ${number} of the plan is not [group,]topic,partition,offset.`);
  }
  if (group === undefined) throw usage(`Line ${number} of the plan names no group; give --group.`);
  if (onlyGroup !== undefined && group !== onlyGroup) {
    throw usage(`Line ${number} of the plan is for the group ${group}, not ${onlyGroup}.`);
  }
  return {
    group,
    topic,
    partition: Number(partition),
    offset: offsetOf(offset, `Line ${number} of the plan`),
  };
}

/** Fields between commas; one in double quotes may hold commas, and doubled quotes. */
function fieldsOf(line: string): readonly string[] {
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const letter = line[index] ?? '';
    if (letter === '"') {
      if (isQuoted && line[index + 1] === '"') {
        field += '"';
        index += 1;
      } else {
        isQuoted = !isQuoted;
      }
    } else if (letter === ',' && !isQuoted) {
      fields.push(field.trim());
      field = '';
    } else {
      field += letter;
    }
  }
  return [...fields, field.trim()];
}

function quoted(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
