import { compatibilitySwitches } from '@sluice/contracts';

/** The reference of compatibility switches as Markdown. Generated, never edited. */
export function compatibilityReference(): string {
  return [
    '# Compatibility switches',
    '',
    'Generated from `libs/contracts` by `npm run generate`; do not edit.',
    '',
    'Sluice reads the interface to the letter. Public clients of the family do not always write it so, and',
    'the gateways they were made for let them. Each switch allows one such thing. All are off, unless a seed',
    'file turns one on at a node of the account tree: a PSP, a division, a merchant or a channel. It then',
    'holds for that node and all below; a node below may turn it off again.',
    '',
    '```json',
    '{',
    '  "merchants": [{ "name": "My company", "compatibility": { "emailWithoutName": true } }],',
    '  "channels": [',
    '    {',
    '      "entityId": "8ac7a4c97ee0000000000000000000a1",',
    '      "name": "My strict shop",',
    '      "merchant": "My company",',
    '      "accessTokens": ["a-token-of-at-least-sixteen-characters"],',
    '      "compatibility": { "emailWithoutName": false }',
    '    }',
    '  ]',
    '}',
    '```',
    '',
    '`npm start -- --lenient` turns all of them on for every channel of a sandbox that does not say no. A name that is no switch',
    'is refused, with the one that was probably meant.',
    '',
    '| Switch | What it allows | Why clients do so | Since |',
    '|---|---|---|---|',
    ...compatibilitySwitches.map(
      ({ name, allows, reason, since }) => `| \`${name}\` | ${allows} | ${reason} | ${since} |`,
    ),
    '',
    'Other names for a parameter are read as the one of the catalogue, and answers and errors have that one.',
    'Where both are sent, nobody can say which is meant, and the other name is refused.',
    '',
  ].join('\n');
}
