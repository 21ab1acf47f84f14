const WIDTH = 54;
const isTerminal = process.stdout.isTTY === true;

/** Styles where a person looks on, plain text in a file. */
const styled = (code: number, text: string) => (isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text);

/** One line for the person who looks on. */
export function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

export function heading(text: string): void {
  say();
  say(styled(1, text));
  say();
}

/** What a step showed, under it: aligned names and values. */
export function shown(rows: Record<string, string>): void {
  for (const [name, value] of Object.entries(rows)) say(`      ${styled(2, name.padEnd(20))} ${value}`);
}

let number = 0;

/**
 * Plays one step and says how long it took. What it throws ends the demo: the step is marked, and nothing after it is played.
 */
export async function step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  number += 1;
  const label = `  ${String(number).padStart(2)}  ${title.padEnd(WIDTH)}`;
  const startedAt = performance.now();
  const elapsed = () => `${((performance.now() - startedAt) / 1_000).toFixed(2)} s`.padStart(9);
  if (isTerminal) process.stdout.write(label);
  try {
    const result = await work();
    process.stdout.write(isTerminal ? `${elapsed()}  ${styled(32, "ok")}\n` : `${label}${elapsed()}  ok\n`);
    return result;
  } catch (error) {
    process.stdout.write(isTerminal ? `${elapsed()}  ${styled(31, "failed")}\n` : `${label}${elapsed()}  failed\n`);
    throw error;
  }
}
