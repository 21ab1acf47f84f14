/** When something was observed: the head of the chain then, and the time in ms. */
export type Moment = { height: number; at: number };

type Observation = Moment & { what: string; count: number; times: number };

/** How often one node must repeat an answer before the service acts on it: at a higher head each time, or so long apart. */
const SIGHTINGS = 3;
const APART_MS = 10_000;
const FORGOTTEN_MS = 600_000;

/**
 * What a node answered about a subject, and how often. A single answer can be a mistake: what cannot be undone needs several, at different
 * heads. Another answer in between begins the count again.
 */
export class Observations {
  /** The least recent first. */
  readonly #bySubject = new Map<string, Observation>();

  /** Notes an answer. Returns the lowest count that was observed once the same answer (`what`) was repeated often enough, else null. */
  repeated(subject: string, { what, count }: { what: string; count: number }, moment: Moment): number | null {
    this.#forgetOld(moment.at);
    const before = this.#bySubject.get(subject);
    if (before === undefined || before.what !== what) {
      this.#note(subject, { what, count, times: 1, ...moment });
      return null;
    }
    const isApart = moment.height > before.height || moment.at - before.at >= APART_MS;
    const now = isApart ? { what, count: Math.min(before.count, count), times: before.times + 1, ...moment } : before;
    if (isApart) this.#note(subject, now);
    return now.times >= SIGHTINGS ? now.count : null;
  }

  forget(subject: string): void {
    this.#bySubject.delete(subject);
  }

  #note(subject: string, observation: Observation): void {
    this.#bySubject.delete(subject);
    this.#bySubject.set(subject, observation);
  }

  #forgetOld(now: number): void {
    for (const [subject, { at }] of this.#bySubject) {
      if (now - at < FORGOTTEN_MS) return;
      this.#bySubject.delete(subject);
    }
  }
}
