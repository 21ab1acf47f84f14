import type { WriteStream } from "node:tty";
import { parseArgs } from "node:util";
import { NotTerminal, Refused, SettlementError, Unanswered } from "#sdk/typescript/src/index.ts";
import { causeOf } from "./cause.ts";
import type { Command, Options } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT, Trouble } from "./exit.ts";
import { commandHelp, HELP } from "./help.ts";
import { type Out, openOut } from "./out.ts";
import { profilePath, readProfile } from "./profile.ts";
import { suggest } from "./suggest.ts";
import { VERSION } from "./version.ts";

type Stream = Pick<WriteStream, "write"> & { isTTY?: boolean };
export type Surroundings = {
  stdout: Stream;
  stderr: Stream;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
};

/** What every command takes. */
const EVERYWHERE = {
  json: { type: "boolean", about: "Print one line of JSON for each message on standard output" },
  profile: { type: "string", value: "FILE", about: "Use this profile instead of the default (also: SETTLE_PROFILE)" },
  help: { type: "boolean", short: "h", about: "Print this text" },
  version: { type: "boolean", short: "v", about: "Print the version" },
} as const satisfies Options;

/** Runs one command line to its exit code. */
export async function runSettle(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const json = argv.includes("--json");
  const out = openOut({ json, ...surroundings });
  try {
    return await dispatch(argv, surroundings, out);
  } catch (error) {
    if (surroundings.signal.aborted) return EXIT.interrupted;
    return explain(error, out);
  }
}

async function dispatch(argv: readonly string[], { env, signal }: Surroundings, out: Out): Promise<number> {
  const { name, args } = splitCommand(argv);
  if (name === null) return printGeneralHelp(args, argv.length, out);
  if (name === "help") return printTopicHelp(readArguments(args, EVERYWHERE, "help").positionals, out);
  const command = findCommand(name);
  const { values, positionals } = readArguments(args, { ...EVERYWHERE, ...command.options }, name);
  if (values.version === true) return printVersion(out);
  if (values.help === true) return printHelp(out, commandHelp(command, EVERYWHERE));
  const path = typeof values.profile === "string" ? values.profile : profilePath(env);
  const context = { values, positionals, out, profile: () => readProfile(path), env: { ...env, SETTLE_PROFILE: path }, signal };
  return await command.run(context);
}

/** Without a command there is only what the options of every command ask for: the help, and the version. */
function printGeneralHelp(args: readonly string[], given: number, out: Out): number {
  const { values } = readArguments(args, EVERYWHERE, null);
  if (values.version === true) return printVersion(out);
  printHelp(out, HELP(COMMANDS, EVERYWHERE));
  return given > 0 && values.help === true ? EXIT.done : EXIT.usage;
}

function printTopicHelp(topics: readonly string[], out: Out): number {
  const [topic, more] = topics;
  if (more !== undefined) throw new Trouble(`Unexpected argument "${more}": "settle help" takes one command.`);
  return printHelp(out, topic === undefined ? HELP(COMMANDS, EVERYWHERE) : commandHelp(findCommand(topic), EVERYWHERE));
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  const names = COMMANDS.map((each) => each.name);
  if (command === undefined) throw new Trouble(`Unknown command "${name}". ${suggest(name, names)}`);
  return command;
}

function printVersion(out: Out): number {
  out.print({ version: VERSION }, () => VERSION);
  return EXIT.done;
}

function printHelp(out: Out, text: string): number {
  out.print({ help: text }, () => text);
  return EXIT.done;
}

/** Says what went wrong in a sentence, and with which exit code to end. */
function explain(error: unknown, out: Out): number {
  const { exit, report, sentence } = read(error);
  if (out.json) out.print({ error: report }, () => "");
  else out.note(sentence);
  return exit;
}

function read(error: unknown): { exit: number; report: Record<string, unknown>; sentence: string } {
  if (error instanceof Trouble) return { exit: error.exit, report: { message: error.message }, sentence: error.message };
  if (error instanceof Refused) {
    const { status, code, detail, faults, requestId, members } = error;
    const where = faults.map(({ at, message }) => `\n  ${at}: ${message}`).join("");
    const report = { status, code, detail, faults, request_id: requestId, members };
    return { exit: EXIT.refused, report, sentence: `Refused (${status} ${code}): ${detail}${where}\n${adviceOn(code)}`.trim() };
  }
  if (error instanceof Unanswered) {
    const sentence = `${error.message} (${causeOf(error)}). It is safe to run the same command again. "settle doctor" looks for the cause.`;
    return { exit: EXIT.unanswered, report: { code: "unanswered", message: sentence }, sentence };
  }
  if (error instanceof NotTerminal) {
    return {
      exit: EXIT.refused,
      report: { code: "not_terminal", message: error.message, last: error.last },
      sentence: `Not finished: ${error.message}.`,
    };
  }
  if (error instanceof SettlementError || error instanceof TypeError)
    return { exit: EXIT.usage, report: { message: error.message }, sentence: error.message };
  const sentence = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exit: EXIT.refused, report: { message: sentence }, sentence };
}

/** Whatever is about the key, the clock or the signature, the doctor knows better. */
function adviceOn(code: string): string {
  const credentials = [
    "unknown_api_key",
    "revoked_api_key",
    "signature_mismatch",
    "stale_timestamp",
    "missing_credentials",
    "ip_not_allowed",
  ];
  return credentials.includes(code) ? '"settle doctor" finds the cause.' : "";
}

/** The common options with a value, which is not a command. */
const WITH_VALUE = ["--profile"];

/** The command of a command line, and the other arguments in order. Common options may precede it. Null: there is none. */
function splitCommand(argv: readonly string[]): { name: string | null; args: readonly string[] } {
  const place = argv.findIndex((each, at) => !each.startsWith("-") && !WITH_VALUE.includes(argv[at - 1] ?? ""));
  if (place === -1) return { name: null, args: argv };
  return { name: argv[place] ?? null, args: [...argv.slice(0, place), ...argv.slice(place + 1)] };
}

/**
 * The parsed options of the command. `command`: null for a command line without one.
 *
 * @throws Trouble for an unknown option, or one with a value that it does not take or without one that it needs
 */
function readArguments(args: readonly string[], options: Options, command: string | null) {
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
