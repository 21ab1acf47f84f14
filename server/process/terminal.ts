const isTerminal = process.stdout.isTTY === true;
/** Live mode writes for a log collector: every line is JSON, like the log of web and worker. */
let inJson = false;
let speaker = "start";

/** From here on every line is JSON, those of errors too. */
export function speakJson(process = speaker): void {
  inJson = true;
  speaker = process;
}

function line(level: "info" | "error", message: string): string {
  return `${JSON.stringify({ level, time: new Date().toISOString(), process: speaker, pid: process.pid, message })}\n`;
}

/** One line for the person at the terminal. */
export function say(text: string): void {
  process.stdout.write(inJson ? line("info", text.trim()) : `${text}\n`);
}

/** What ended it all. */
export function sayError(text: string): void {
  process.stderr.write(inJson ? line("error", text) : `\n${text}\n`);
}

/** Shows that something is being done, for how long, and that it is done. */
export async function step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  const started = Date.now();
  const elapsed = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  const live = isTerminal && !inJson;
  if (live) process.stdout.write(`  ${title} …`);
  const tick = live
    ? setInterval(() => process.stdout.write(`\r  ${title} … ${elapsed()} `), 200)
    : setInterval(() => say(`  ${title} … ${elapsed()}`), 10_000);
  const end = (how: string) => (live ? process.stdout.write(`\r\x1b[K  ${title}: ${how}\n`) : say(`  ${title}: ${how}`));
  try {
    const result = await work();
    end(elapsed());
    return result;
  } catch (error) {
    end("failed");
    throw error;
  } finally {
    clearInterval(tick);
  }
}
