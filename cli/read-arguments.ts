import { parseArgs } from "node:util";
import type { Options } from "./command.ts";
import { Trouble } from "./exit.ts";

/** The common options with a value, which is not a command. */
const WITH_VALUE = ["--profile"];

/** The command of a command line, and the other arguments in order. Common options may precede it. Null: there is none. */
export function splitCommand(argv: readonly string[]): { name: string | null; args: readonly string[] } {
  const place = argv.findIndex((each, at) => !each.startsWith("-") && !WITH_VALUE.includes(argv[at - 1] ?? ""));
  if (place === -1) return { name: null, args: argv };
  return { name: argv[place] ?? null, args: [...argv.slice(0, place), ...argv.slice(place + 1)] };
}

/**
 * The parsed options of the command. `command`: null for a command line without one.
 *
 * @throws Trouble for an unknown option, or one with a value that it does not take or without one that it needs
 */
export function readArguments(args: readonly string[], options: Options, command: string | null) {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === "option") judge(token, options, command);
  return parseArgs({ args, options, allowPositionals: true, strict: true });
}

type Given = { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined };

function judge({ name, rawName, value, inlineValue }: Given, options: Options, command: string | null): void {
  const help = `See "settle ${command === null ? "" : `${command} `}--help".`;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw new Trouble(`Unknown option "${rawName}". ${help}`);
  if (option.type === "boolean" && value !== undefined) throw new Trouble(`"${rawName}" takes no value. ${help}`);
  // As the strict parser does: a text that looks like an option is not a value.
  const isMissing = value === undefined || (inlineValue === false && /^-./.test(value));
  if (option.type === "string" && isMissing) throw new Trouble(`"${rawName}" needs a value: ${option.value ?? "TEXT"}. ${help}`);
}
