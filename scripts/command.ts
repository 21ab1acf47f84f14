import { readFileSync } from "node:fs";
import type { z } from "zod";
import { isRefusal } from "#domain/refusal.ts";

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Options = { failed?: number; explain?: (error: unknown) => string };

/** Runs a command to its exit code. An error is printed as a sentence, and the exit code is `failed`. */
export async function runCommand(main: () => Promise<number>, { failed = 1, explain = sentenceOf }: Options = {}): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = failed;
  }
}

/** A JSON file of that form. The error names each fault's place. */
export function readJsonFile<Schema extends z.ZodType>(schema: Schema, file: string): z.output<Schema> {
  const parsed = schema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${file}: [${issue.path.join("].")}] ${issue.message}`).join("\n"));
}

/** As {@link sentenceOf}, with every fault of a refused file. */
export function faultsOf(error: unknown): string {
  const faults = isRefusal(error) ? (error.particulars.errors ?? []) : [];
  return [sentenceOf(error), ...faults.map(({ pointer, message }) => `  ${pointer} ${message}`)].join("\n");
}
