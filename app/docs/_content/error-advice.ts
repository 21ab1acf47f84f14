/** What the page of a refusal code says. */
export type ErrorAdvice = {
  /** What it means. */
  meaning: string;
  /** What to do. */
  remedy: string;
  /** Members of the problem document beyond the usual ones. */
  members?: Record<string, string>;
};
