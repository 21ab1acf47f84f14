/** The content of a refusal code's page. */
export type ErrorAdvice = {
  /** What it means. */
  meaning: string;
  /** What to do. */
  remedy: string;
  /** Additional members of the problem document. */
  members?: Record<string, string>;
};
