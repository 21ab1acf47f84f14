import { type Log, Rejected, Unreachable } from "#server/ports.ts";

/** Remembers failing sources, so that the log has changes and not every round. */
export class Health {
  readonly #log: Log;
  readonly #troubles = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The work's result; null, and a log entry, when the source fails. Defects are thrown on. */
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
      this.#log.info({ subject }, "market rates are available again");
    } else {
      this.#troubles.set(subject, trouble);
      this.#log.warn({ subject, trouble }, "market rates have a problem");
    }
  }
}
