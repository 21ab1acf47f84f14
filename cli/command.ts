import type { ParseArgsOptionDescriptor, parseArgs } from "node:util";
import type { Out } from "./out.ts";
import type { Profile } from "./profile.ts";

/** An option for `parseArgs` of node:util, and its help. */
export type Option = ParseArgsOptionDescriptor & {
  about: string;
  /** The placeholder of its value in the help: `ID`, `SECONDS`. */
  value?: string;
};
export type Options = Readonly<Record<string, Option>>;

export type Context<Of extends Options = Options> = {
  /** As `parseArgs` answers them. */
  values: ReturnType<typeof parseArgs<{ options: Of }>>["values"];
  positionals: readonly string[];
  out: Out;
  /** Who calls, and where. @throws Trouble when nobody has logged in. */
  profile(): Profile;
  env: Readonly<Record<string, string | undefined>>;
  /** Fires at Ctrl-C: what waits or listens ends, and tidies up behind itself. */
  signal: AbortSignal;
};

/** A subcommand. Write it with `defineCommand`, and add its line to `cli/commands.ts`. */
export type Command<Of extends Options = Options> = {
  name: string;
  /** One line. */
  summary: string;
  /** What follows the name: `TX_ID [--wait]`. */
  usage: string;
  options: Of;
  /** More for readers of `settle NAME --help`, besides the options. */
  notes?: readonly string[];
  /** How it ended, one of `EXIT` (`cli/exit.ts`). What it throws is explained by `main.ts`: refusals, lost answers and `Trouble` too. */
  run(context: Context<Of>): Promise<number>;
};

/** Gives `run` the types of its options. */
export function defineCommand<const Of extends Options>(command: Command<Of>): Command {
  return command as unknown as Command;
}
