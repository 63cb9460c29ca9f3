// The shop's pictures are drawn, so that nothing has to be loaded from anywhere.

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const each = (count: number, draw: (index: number) => string): string =>
  range(count).map(draw).join('');

/** A wave across the sheet, as the data of a path. */
const wave = (y: number, height: number, length: number, from = -length): string =>
  `M${from} ${y}` +
  each(
    Math.ceil((400 - from) / length) + 1,
    () => `q${length / 4} ${-height} ${length / 2} 0t${length / 2} 0`,
  );

/** A sheet of 4 by 5. */
const sheet = (ground: string, content: string): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 500">' +
  `<rect width="400" height="500" fill="${ground}"/>${content}</svg>`;

const SEA = ['#e8b796', '#d98f76', '#7fa3a1', '#4f8187', '#2f626d', '#1d4753', '#11323d'];

export const lowTide = sheet(
  '#f4dfc4',
  '<circle cx="268" cy="172" r="74" fill="#e4572e"/>' +
    each(
      7,
      (row) =>
        `<path d="${wave(206 + row * 42, 9 + row * 3, 190 + row * 24, -150 - row * 61)}V500H-400z" fill="${SEA[row] ?? ''}"/>`,
    ),
);

export const weir = sheet(
  '#dfe7e4',
  '<rect width="400" height="132" fill="#8fb0ad"/>' +
    each(
      5,
      (line) =>
        `<path d="${wave(28 + line * 22, 5, 130, -130 + line * 26)}" fill="none" stroke="#dfe7e4" stroke-width="2"/>`,
    ) +
    each(
      20,
      (fall) =>
        `<path d="M${fall * 20} 132h20v${150 + ((fall * 47) % 90)}a10 10 0 0 1-20 0z" fill="${['#2b5d6b', '#417785', '#6fa0a8', '#1c4451'][(fall * 7) % 4] ?? ''}"/>`,
    ) +
    '<rect y="126" width="400" height="12" fill="#15303a"/>' +
    each(
      6,
      (line) =>
        `<path d="${wave(418 + line * 15, 7, 96, -96 - line * 31)}" fill="none" stroke="#2b5d6b" stroke-width="${3 - line * 0.4}"/>`,
    ),
);

export const lock = sheet(
  '#233c36',
  '<path d="M0 0h400v190H0z" fill="#e9dcc0"/><path d="M70 190 140 500h120L330 190z" fill="#4d8076"/>' +
    each(
      6,
      (line) =>
        `<path d="M${100 + line * 8} ${260 + line * 44}h${200 - line * 16}" stroke="#8db7ab" stroke-width="3" stroke-dasharray="${46 - line * 4} 15"/>`,
    ) +
    '<path d="M64 176 200 232v150L64 300z" fill="#16211f"/><path d="M336 176 200 232v150l136-82z" fill="#0c1413"/>' +
    each(
      4,
      (beam) =>
        `<path d="M64 ${200 + beam * 30} 200 ${256 + beam * 34} 336 ${200 + beam * 30}" fill="none" stroke="#43574f" stroke-width="5"/>`,
    ) +
    '<path d="M-30 168 206 226v16L-30 190z" fill="#f7f2e4"/><path d="M430 168 194 226v16l236-52z" fill="#fffdf4"/>' +
    '<path d="M-30 168 8 177v16l-38-3zM430 168l-38 9v16l38-3z" fill="#c8402a"/>',
);

export const rain = sheet(
  '#34577a',
  [
    [120, 130, 5],
    [290, 90, 3],
    [255, 300, 7],
    [90, 390, 4],
    [345, 440, 3],
  ]
    .map(([x = 0, y = 0, rings = 0]) =>
      each(
        rings,
        (ring) =>
          `<ellipse cx="${x}" cy="${y}" rx="${14 + ring * 22}" ry="${6 + ring * 9}" fill="none" stroke="#e9eef0" stroke-width="${3.4 - ring * 0.4}" opacity="${1 - ring * 0.11}"/>`,
      ),
    )
    .join('') +
    each(
      34,
      (drop) =>
        `<path d="M${(drop * 83) % 420} ${(drop * 137) % 480}l-9 34" stroke="#f2c14e" stroke-width="2.5" stroke-linecap="round"/>`,
    ),
);

export const moonrise = sheet(
  '#141d33',
  '<circle cx="200" cy="188" r="96" fill="#f3e3b3"/><circle cx="172" cy="164" r="17" fill="#e7d196"/><circle cx="236" cy="214" r="25" fill="#e7d196"/>' +
    '<path d="M0 298h400v202H0z" fill="#0c1323"/>' +
    each(
      12,
      (line) =>
        `<rect x="${200 - 92 + ((line * 29) % 40) + line * 3}" y="${308 + line * 15}" width="${150 - line * 9}" height="${6 - line * 0.3}" rx="3" fill="#f3e3b3" opacity="${0.95 - line * 0.06}"/>`,
    ) +
    each(
      17,
      (reed) =>
        `<path d="M${reed * 13 - 4} 500q${(reed % 3) * 5} -90 ${12 - (reed % 5) * 6} -${120 + ((reed * 53) % 130)}" fill="none" stroke="#31506a" stroke-width="3.5" stroke-linecap="round"/>`,
    ),
);

/** A river that divides: two arms, each of which divides again. */
const arms = (x: number, y: number, spread: number, level: number): string =>
  level === 0
    ? ''
    : [-1, 1]
        .map((side) => {
          const [toX, toY] = [x + side * spread, y + 62 + level * 10];
          const width = level * 5.2;
          return (
            `<path d="M${x} ${y}C${x} ${y + 46} ${toX} ${toY - 46} ${toX} ${toY}" fill="none" stroke="#f6efe0" stroke-width="${width}" stroke-linecap="round"/>` +
            arms(toX, toY, spread * 0.53, level - 1)
          );
        })
        .join('');

export const delta = sheet(
  '#c9803b',
  each(
    9,
    (line) =>
      `<path d="${wave(30 + line * 58, 20, 300, -300 - line * 70)}" fill="none" stroke="#b56d2d" stroke-width="14"/>`,
  ) +
    '<path d="M200-20C150 40 250 60 200 118" fill="none" stroke="#f6efe0" stroke-width="26" stroke-linecap="round"/>' +
    arms(200, 112, 92, 4) +
    '<path d="M0 478q100-22 200 0t200 0v22H0z" fill="#2c6e73"/>',
);
