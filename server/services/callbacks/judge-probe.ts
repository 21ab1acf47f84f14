/** What a probe of a receiver is, and how the answers are judged. Each shot is sent once. */

export type Shot = { headers: Record<string, string>; body: string };
/** `status` null: no answer, and why. `worked`: how much it says that it has taken on so far; null: it does not say. */
export type ShotAnswer = { status: number | null; trouble: string | null; durationMs: number; worked: number | null };
export type Probe = {
  name: string;
  /** What a correct receiver does, as a sentence. */
  title: string;
  wants: "taken" | "refused";
  /** What it means where the receiver does the opposite. */
  danger: string;
  /** All at once, or one after the other. */
  atOnce: boolean;
  /** How often its work is due for all shots together. Judged where the receiver counts its work. */
  effects?: number;
  /** Signed as of that moment. */
  shots(now: Date): Shot[];
};
export type ProbeVerdict = { name: string; title: string; passed: boolean; reason: string; statuses: (number | null)[] };

/** A receiver answers first and works afterwards. */
export const SOON_MS = 5_000;
/** The header in which a receiver may say how many callbacks it has taken on so far, repeats not counted. */
export const WORK_HEADER = "x-work-count";

export function workOf(header: string | string[] | null | undefined): number | null {
  return typeof header === "string" && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

export type Words = [name: string, title: string, danger: string];

export function taken(
  [name, title, danger]: Words,
  shots: Probe["shots"],
  more: Pick<Probe, "effects"> & { atOnce?: boolean } = {},
): Probe {
  return { name, title, danger, wants: "taken", atOnce: false, ...more, shots };
}

export function refused([name, title, danger]: Words, shots: Probe["shots"]): Probe {
  return { name, title, danger, wants: "refused", atOnce: false, shots };
}

export const FORGED = "Anyone who knows your URL can report a settlement as paid.";
export const REPLAYED = "Anyone who has seen a callback can replay it at any time.";

/** What the answers to one probe say. */
export function judgeProbe({ name, title, wants, danger, effects }: Probe, answers: readonly ShotAnswer[]): ProbeVerdict {
  const faults = answers.map((answer) => (wants === "taken" ? faultOfTaken(answer) : faultOfRefused(answer)));
  const fault = faults.find((each) => each !== null) ?? (effects === undefined ? null : faultOfWork(answers, effects));
  const statuses = answers.map(({ status }) => status);
  return { name, title, passed: fault === null, reason: fault === null ? `${statuses.join(", ")}.` : `${fault} ${danger}`, statuses };
}

function faultOfTaken({ status, trouble }: ShotAnswer): string | null {
  if (status === null) return `There was no answer (${trouble ?? "unknown"}).`;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `${status}: redirects are not followed, so answer 2xx directly.`;
  return `${status} instead of 2xx.`;
}

function faultOfRefused({ status, trouble }: ShotAnswer): string | null {
  if (status === null) return `There was no answer (${trouble ?? "unknown"}) instead of 4xx.`;
  if (status >= 400 && status < 500) return null;
  if (status >= 200 && status < 300) return `${status}: the forged callback was accepted.`;
  return `${status} instead of 4xx. An invalid callback must not make your receiver fail.`;
}

/** Whether the work was done as often as it was due, by the receiver's own count. The first answer counts the first of it. */
function faultOfWork(answers: readonly ShotAnswer[], due: number): string | null {
  const counts = answers.flatMap(({ worked }) => worked ?? []);
  if (counts.length < answers.length || counts.length < 2) return null;
  const done = Math.max(...counts) - Math.min(...counts) + 1;
  return done === due ? null : `It counted ${done} times its work (${WORK_HEADER}), which was due ${due === 1 ? "once" : `${due} times`}.`;
}

/** Whether all that was taken was taken soon. */
export function judgeSpeed(answers: readonly ShotAnswer[], soonMs = SOON_MS): ProbeVerdict {
  const slowest = Math.max(0, ...answers.map(({ durationMs }) => durationMs));
  const passed = slowest <= soonMs;
  const took = `The slowest answer took ${(slowest / 1_000).toFixed(1)} s.`;
  return {
    name: "soon",
    title: `Answers within ${soonMs / 1_000} s`,
    passed,
    statuses: [],
    reason: passed ? took : `${took} An attempt fails after 30 s, so answer first and work afterwards.`,
  };
}
