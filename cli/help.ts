import type { Command, Options } from "./command.ts";

const EXIT_CODES = `Exit codes:
    0  done
    1  the service refused, or it came to another end
    2  not understood, or nobody is logged in; nothing was sent
    3  no answer: whether anything happened is not known, the same command again is safe
    4  what was examined has a fault, and it was named
  130  interrupted before it was done`;

export function HELP(commands: readonly Command[], everywhere: Options): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "settle: the settlement service at the terminal.",
    "",
    "Usage: settle COMMAND [options]",
    "",
    ...lines,
    "",
    'For every command ("settle COMMAND --help" shows the rest):',
    ...optionLines(everywhere),
    "",
    EXIT_CODES,
  ].join("\n");
}

export function commandHelp({ name, summary, usage, options, notes = [] }: Command, everywhere: Options): string {
  const own = Object.keys(options).length === 0 ? [] : ["", ...optionLines(options)];
  return [
    `Usage: settle ${name} ${usage}`.trimEnd(),
    "",
    `${summary}.`,
    ...own,
    "",
    ...optionLines(everywhere),
    ...notes.flatMap((note) => ["", note]),
  ].join("\n");
}

function optionLines(options: Options): string[] {
  const names = Object.entries(options).map(([name, { short, value, type }]) => {
    const long = `--${name}${type === "string" ? ` ${value ?? "TEXT"}` : ""}`;
    return short === undefined ? `    ${long}` : `-${short}, ${long}`;
  });
  const width = Math.max(...names.map((name) => name.length));
  return Object.values(options).map(({ about }, place) => `  ${(names[place] ?? "").padEnd(width)}  ${about}`);
}
