import type { Command } from 'commander';

/** A script that completes commands and flags; ids and names are not known to it. */
export function bashCompletion(program: Command): string {
  const cases = pathsOf(program, []).map(
    ({ path, words }) => `    ${JSON.stringify(path)}) words=${JSON.stringify(words)} ;;`,
  );
  return [
    '_sluice() {',
    '  local word path="" words=""',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case $word in -*) ;; *) path="$path $word" ;; esac',
    '  done',
    '  case ${path# } in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _sluice sluice',
  ].join('\n');
}

function pathsOf(
  command: Command,
  path: readonly string[],
): readonly { readonly path: string; readonly words: string }[] {
  const flags = command.options.flatMap(({ long }) => (long === undefined ? [] : [long]));
  const names = command.commands.map((below) => below.name());
  return [
    { path: path.join(' '), words: [...names, ...flags, '--help'].join(' ') },
    ...command.commands.flatMap((below) => pathsOf(below, [...path, below.name()])),
  ];
}
