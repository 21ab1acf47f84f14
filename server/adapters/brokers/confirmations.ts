/** How long a broker may take to let us in, and to confirm an event. */
export const CONNECT_MS = 10_000;
export const CONFIRM_MS = 15_000;

/** Events that a broker has not confirmed yet, by id. Each ends once: confirmed (null), or with why not. */
export class Confirmations {
  readonly #waiting = new Map<string, (error: string | null) => void>();
  readonly #failed = new Map<string, string>();
  #end: string | null = null;

  begin(id: string): Promise<string | null> {
    if (this.#end !== null) return Promise.resolve(this.#end);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, "The broker did not confirm the event in time."), CONFIRM_MS);
      this.#waiting.set(id, (error) => {
        clearTimeout(timer);
        resolve(error);
      });
    });
  }

  /** It is confirmed soon, and has failed all the same. */
  fail(id: string, error: string): void {
    if (this.#waiting.has(id)) this.#failed.set(id, error);
  }

  settle(id: string, error: string | null): void {
    const end = this.#waiting.get(id);
    const failed = this.#failed.get(id);
    this.#waiting.delete(id);
    this.#failed.delete(id);
    end?.(failed ?? error);
  }

  /** None is confirmed any more. */
  end(error: string): void {
    this.#end ??= error;
    for (const id of [...this.#waiting.keys()]) this.settle(id, error);
  }
}
