import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from './field-tables.js';
import {
  type ForeignElement,
  foreignElementsOf,
  isForeignIn,
  isForeignRequired,
  isForeignValue,
} from './foreign-tables-fixture.js';
import { deviceChannels, type Message, messageCategories } from './message-kinds.js';
import { acceptedBy, refusalOf } from './messages-fixture.js';

const statuses = { ARes: 'YNUACDRI', RReq: 'YNUAR' } as const;

/** A value that their tables and ours take; that they take the same, another spec says. */
function valueOf(
  element: ForeignElement,
  type: 'ARes' | 'RReq',
  version: '2.1.0' | '2.2.0',
): unknown {
  const ours = fieldsOf(type, version).filter(({ name }) => name === element.name);
  return ours.flatMap((field) => acceptedBy(field)).find((value) => isForeignValue(element, value));
}

const answers = (['ARes', 'RReq'] as const).flatMap((type) =>
  (['2.1.0', '2.2.0'] as const).flatMap((version) => {
    const status = foreignElementsOf(type, version).find(({ name }) => name === 'transStatus');
    return deviceChannels.flatMap((channel) =>
      messageCategories.flatMap((category) =>
        Array.from(statuses[type])
          .filter((each) => status?.values?.includes(each))
          // Nobody is there who could be asked.
          .filter((each) => channel !== '03' || each !== 'C')
          .map((transStatus) => ({ type, version, channel, category, transStatus })),
      ),
    );
  }),
);

describe('what our server reads of one that is not ours', () => {
  it.each(answers)(
    '$type $version, channel $channel, category $category, status $transStatus: the least of it and all of it',
    ({ type, version, channel, category, transStatus }) => {
      const elements = foreignElementsOf(type, version).filter((element) =>
        isForeignIn(element, channel, category),
      );
      const messageOf = (chosen: readonly ForeignElement[]): Message => ({
        ...Object.fromEntries(chosen.map((each) => [each.name, valueOf(each, type, version)])),
        ...{ messageType: type, messageVersion: version, transStatus },
        ...(type === 'RReq' && { messageCategory: category }),
      });
      // What one element demands may demand another.
      const leastWith = (message: Message): Message => {
        const demanded = elements.filter((each) =>
          isForeignRequired(each, message, channel, category),
        );
        const grown = messageOf(demanded);
        return Object.keys(grown).length > Object.keys(message).length ? leastWith(grown) : grown;
      };
      for (const message of [leastWith(messageOf([])), messageOf(elements)]) {
        expect(refusalOf(message, { type, version, channel, category })).toBeUndefined();
      }
    },
  );
});
