import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Rejected, Unreachable } from "#server/ports.ts";
import { Answer, type Opening, type Question } from "./token-words.ts";

export type TokenSettings = Opening & {
  /** The library's whole environment. */
  env: Readonly<Record<string, string>>;
  timeoutMs?: number;
};

const SCRIPT = fileURLToPath(new URL("./token-process.ts", import.meta.url));
const TIMEOUT_MS = 10_000;
/** The place of the first word among those that await an answer. */
const OPENING = 0;

type Asked = { resolve: (hex: string) => void; reject: (error: Error) => void };
type Line = {
  child: ChildProcess;
  opened: Promise<void>;
  asked: Map<number, Asked> /** How long it may be silent yet. */;
  patience: NodeJS.Timeout | null;
};

/** The token is gone, or its session: a new process may find it again. */
class Lost extends Unreachable {}

/**
 * One token, with its library in a separate process. The process starts at first use, is ended when it does not answer in time, and is
 * started again at the next use after a loss. A PIN that the token has refused is never tried again: it locks itself after a few tries.
 */
export class Token {
  readonly #settings: TokenSettings;
  #line: Line | null = null;
  #next = 1;
  #refusedPin: Rejected | null = null;

  constructor(settings: TokenSettings) {
    this.#settings = settings;
  }

  get name(): string {
    return `the token ${this.#settings.token}`;
  }

  /** Hexadecimal digits. `digest` null: the public key. @throws Unreachable, Rejected */
  async ask(key: string, digest: string | null): Promise<string> {
    const before = this.#line;
    try {
      return await this.#askOnce(key, digest);
    } catch (error) {
      // A session that had ended in a pause is opened again without anybody noticing. Two signatures of the same digest hurt nobody.
      if (!(error instanceof Lost) || before === null) throw error;
      return await this.#askOnce(key, digest);
    }
  }

  async #askOnce(key: string, digest: string | null): Promise<string> {
    if (this.#refusedPin !== null) throw this.#refusedPin;
    this.#line ??= this.#open();
    const line = this.#line;
    await line.opened;
    const question = { id: this.#next++, key, digest };
    return await this.#send(line, question.id, question);
  }

  #send(line: Line, id: number, word: Question | Opening): Promise<string> {
    return new Promise((resolve, reject) => {
      line.asked.set(id, { resolve, reject });
      if (line.patience === null) this.#wait(line);
      line.child.send(word, (error) => error && this.#end(line, `${this.name} cannot be asked: ${error.message}`));
    });
  }

  /** Counted from the last word, since it answers one question after another. */
  #wait(line: Line): void {
    if (line.patience !== null) clearTimeout(line.patience);
    line.patience = null;
    if (line.asked.size === 0) return;
    line.patience = setTimeout(() => this.#end(line, `${this.name} does not answer`), this.#settings.timeoutMs ?? TIMEOUT_MS);
  }

  #open(): Line {
    const { library, token, pin, env } = this.#settings;
    const child = fork(SCRIPT, { env: { NODE_ENV: "production", ...env }, execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] });
    const line: Line = { child, opened: Promise.resolve(), asked: new Map(), patience: null };
    child.on("message", (word) => this.#hear(line, Answer.parse(word)));
    child.once("error", (error) => this.#end(line, `${this.name} cannot be asked: ${error.message}`));
    child.once("exit", () => this.#end(line, `${this.name} is gone`));
    // The worker ends when its work ends.
    child.unref();
    child.channel?.unref();
    line.opened = this.#send(line, OPENING, { library, token, pin }).then(() => {});
    line.opened.catch(() => {});
    return line;
  }

  #hear(line: Line, { id, hex, trouble }: Answer): void {
    const asked = line.asked.get(id ?? OPENING);
    line.asked.delete(id ?? OPENING);
    this.#wait(line);
    if (trouble === null) {
      asked?.resolve(hex ?? "");
      return;
    }
    const message = `${this.name}: ${trouble.message}`;
    if (trouble.kind === "pin") this.#refusedPin = new Rejected(message);
    asked?.reject(trouble.kind === "lost" ? new Lost(message) : new Rejected(message));
    if (trouble.kind !== "refused" || id === null) this.#end(line, message);
  }

  #end(line: Line, why: string): void {
    if (this.#line === line) this.#line = null;
    line.child.kill("SIGKILL");
    const left = [...line.asked.values()];
    line.asked.clear();
    this.#wait(line);
    for (const { reject } of left) reject(new Lost(why));
  }
}
