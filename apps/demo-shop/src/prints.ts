import { delta, lock, lowTide, moonrise, rain, weir } from './pictures.js';

/** What the shop sells. */
export interface Print {
  readonly id: string;
  readonly name: string;
  readonly priceCents: number;
  readonly words: string;
  /** What is to be seen, for those who do not see it. */
  readonly picture: string;
  readonly svg: string;
}

/** All of them; the first one is the oldest. */
export const prints: ReadonlyMap<string, Print> = new Map(
  [
    {
      ...{ id: 'low-tide', name: 'Low Tide', priceCents: 4_800, svg: lowTide },
      words: 'The sun goes, and the sea has gone already. Seven inks, one over the other.',
      picture: 'A red sun above bands of sea that darken from sand to deep blue',
    },
    {
      ...{ id: 'lock-no-4', name: 'Lock No. 4', priceCents: 5_400, svg: lock },
      words: 'Closed gates, seen from the boat that waits. The beams were white before the rain.',
      picture: 'The closed gates of a canal lock with two white beams',
    },
    {
      ...{ id: 'rain', name: 'Rain on the Cut', priceCents: 3_600, svg: rain },
      words: 'A canal in April: five drops have arrived, thirty are on their way.',
      picture: 'Rings on blue water, and slanting yellow rain',
    },
    {
      ...{ id: 'moonrise', name: 'Moonrise, Fen', priceCents: 6_200, svg: moonrise },
      words: 'Nobody is about but the reeds. Printed in the dark, or nearly.',
      picture: 'A large moon above black water that mirrors it, between reeds',
    },
    {
      ...{ id: 'weir', name: 'The Weir', priceCents: 4_200, svg: weir },
      words: 'All the water of the upper river, on its way to being the lower one.',
      picture: 'Water that falls over the edge of a weir in strips of blue',
    },
    {
      ...{ id: 'delta', name: 'Delta', priceCents: 3_900, svg: delta },
      words: 'A river that could not make up its mind, from a great height.',
      picture: 'A white river that divides again and again on ochre ground',
    },
  ].map((print) => [print.id, print]),
);
