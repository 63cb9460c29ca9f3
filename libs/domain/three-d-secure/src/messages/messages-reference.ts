import { errorCodes, errorDescriptions } from './error-codes.js';
import type { Field, Presence } from './field-rows.js';
import { fieldTables } from './field-tables.js';
import { deviceChannels, messageVersions } from './message-kinds.js';
import { statusRules } from './status-rules.js';

const channelNames = { '01': 'app', '02': 'browser', '03': '3RI' } as const;

/** The page about the messages of EMV 3-D Secure. Generated, never edited. */
export function threeDSecureMessagesReference(): string {
  return [
    ...introduction,
    ...fieldTables.flatMap(({ title, rows }) => [
      `## ${title}`,
      '',
      '| Element | Versions | Messages | Channels | Format | What it is |',
      '|---|---|---|---|---|---|',
      ...rows.flatMap(linesOf),
      '',
    ]),
    '## Rules between elements',
    '',
    'A message that breaks one is answered with 203.',
    '',
    '| Messages | Element | Rule |',
    '|---|---|---|',
    ...statusRules.map(
      ({ messages, element, rule }) => `| ${messages.join(', ')} | \`${element}\` | ${rule} |`,
    ),
    '',
    '## Error codes',
    '',
    '| Code | What it is called |',
    '|---|---|',
    ...errorCodes.map((code) => `| ${code} | ${errorDescriptions[code]} |`),
    '',
  ].join('\n');
}

const introduction = [
  '# Messages of EMV 3-D Secure',
  '',
  'Generated from `libs/domain/three-d-secure` by `npm run generate`; do not edit.',
  '',
  'By these tables messages are checked and built. AReq and ARes ask an issuer and are its answer, CReq',
  'and CRes are a challenge, RReq and RRes its results, PReq and PRes the card ranges of a directory',
  'server, Erro says why a message is not taken. What a message has beside its elements is left out.',
  '',
  'Required: what is missing, null or empty is answered with 201, and so is what is missing although the',
  'condition after "if" holds. Optional, or as sent: the sender alone knows whether it has to be there,',
  'and nothing is demanded. What is there is always checked: 203, or 207 since 2.3.1 for two digits that',
  'EMV keeps for later; 204 for an element that is there twice; 304 for a country or a currency that',
  'there is not. A question mark is at what an object may have and need not.',
  'PA is a payment (`messageCategory` 01), NPA is none (02).',
  '',
  'Messages by which directory servers announce works (OReq, ORes) are not taken.',
  '',
];

/** A row per format: elements look alike in most versions. */
function linesOf(fields: readonly Field[]): readonly string[] {
  const formats = [...new Set(fields.map(({ format }) => format.text))];
  return formats.map((format) => {
    const its = fields.filter((field) => field.format.text === format);
    const versions = messageVersions.filter((each) => its.some(({ version }) => version === each));
    const inclusions = new Set(its.map(inclusionOf));
    const messages = [...inclusions].map((inclusion) => {
      const those = its.filter((field) => inclusionOf(field) === inclusion);
      return `${[...new Set(those.map(({ message }) => message))].join(', ')}: ${inclusion}`;
    });
    const [{ name, meaning, channels }] = its as [Field, ...Field[]];
    const where =
      channels.length === deviceChannels.length
        ? 'all'
        : channels.map((channel) => channelNames[channel]).join(', ');
    const cells = [`\`${name}\``, versions.join(', '), messages.join('; '), where, format, meaning];
    return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  });
}

function inclusionOf({ inclusion: { payment, nonPayment } }: Field): string {
  const [ofPayment, ofNonPayment] = [presenceOf(payment), presenceOf(nonPayment)];
  return ofPayment === ofNonPayment ? ofPayment : `PA ${ofPayment}, NPA ${ofNonPayment}`;
}

function presenceOf(presence: Presence): string {
  if (presence.kind !== 'conditional') return presence.kind;
  return `${presence.holds ? 'if' : 'as sent,'} ${presence.when}`;
}
