import { type Log, Rejected, Unreachable } from "#server/ports.ts";

/** Remembers what is in trouble, so that the log tells of changes and not of every round. */
export class Health {
  readonly #log: Log;
  readonly #troubles = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** What the work answers; null, and a note in the log, when the source fails it. Defects pass through. */
  async attempt<Result>(subject: string, work: () => Promise<Result>): Promise<Result | null> {
    try {
      const result = await work();
      this.note(subject, null);
      return result;
    } catch (error) {
      if (!(error instanceof Rejected || error instanceof Unreachable)) throw error;
      this.note(subject, error.message);
      return null;
    }
  }

  note(subject: string, trouble: string | null): void {
    if ((this.#troubles.get(subject) ?? null) === trouble) return;
    if (trouble === null) {
      this.#troubles.delete(subject);
      this.#log.info({ subject }, "a trouble with the market rates is over");
    } else {
      this.#troubles.set(subject, trouble);
      this.#log.warn({ subject, trouble }, "there is a trouble with the market rates");
    }
  }
}
