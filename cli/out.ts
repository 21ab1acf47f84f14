import type { WriteStream } from "node:tty";

const COLOURS = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;
export type Paint = Readonly<Record<keyof typeof COLOURS, (text: string) => string>>;

/** The output of a command: for people, or with `--json` for programs. */
export type Out = {
  readonly json: boolean;
  /** One result: a line of JSON, or its text for people. A stream calls it repeatedly. */
  print(value: unknown, forPeople: (paint: Paint) => string): void;
  /** In addition to the result, for people only, on standard error: progress, and what to do next. */
  note(text: string): void;
};

type Stream = Pick<WriteStream, "write"> & { isTTY?: boolean };
type Choice = { json: boolean; stdout: Stream; stderr: Stream; env: Readonly<Record<string, string | undefined>> };

export function openOut({ json, stdout, stderr, env }: Choice): Out {
  const paint = paintFor(stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb");
  return {
    json,
    print(value, forPeople) {
      stdout.write(json ? `${JSON.stringify(value)}\n` : `${harmless(forPeople(paint))}\n`);
    },
    note(text) {
      if (!json) stderr.write(`${harmless(text)}\n`);
    },
  };
}

function paintFor(colourful: boolean): Paint {
  const brush = ([on, off]: readonly [number, number]) =>
    colourful ? (text: string) => `\u001b[${on}m${text}\u001b[${off}m` : (text: string) => text;
  const { bold, dim, red, green, yellow } = COLOURS;
  return { bold: brush(bold), dim: brush(dim), red: brush(red), green: brush(green), yellow: brush(yellow) };
}

const OURS = new Set(Object.values(COLOURS).flatMap((pair) => pair.map((code) => `\u001b[${code}m`)));
/** Controls, and what turns the direction of writing. Texts come from anybody: a terminal would obey them. */
const OBEYED = /\u001b\[\d+m|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Shows control characters instead of letting the terminal obey them, except for our own colours. */
export function harmless(text: string): string {
  return text.replace(OBEYED, (found) =>
    OURS.has(found) ? found : [...found].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** Names and values below each other, without null values. */
export function aligned(rows: readonly (readonly [name: string, value: string | number | null | undefined])[], paint: Paint): string {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${paint.dim(name.padEnd(width))}  ${value}`).join("\n");
}

/** A table for people: numbers to the right. */
export function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[], paint: Paint): string {
  const widths = columns.map((column, place) => Math.max(column.length, ...rows.map((row) => String(row[place] ?? "").length)));
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, place) => (typeof cell === "number" ? String(cell).padStart(widths[place] ?? 0) : cell.padEnd(widths[place] ?? 0)))
      .join("  ")
      .trimEnd();
  return [paint.dim(line(columns)), ...rows.map(line)].join("\n");
}
