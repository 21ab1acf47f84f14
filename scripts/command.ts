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
