const PARTS = ["receiver", "event receiver", "client", "batch client", "fiat client"] as const;

/** What a certification found: a line for each check, with the reason. */
export type Check = {
  part: (typeof PARTS)[number];
  name: string;
  /** What a correct receiver or client does, as a sentence. */
  title: string;
  passed: boolean;
  reason: string;
};
export type Sheet = { passed: boolean; checks: Check[] };

export function sheetOf(checks: Check[]): Sheet {
  return { passed: checks.length > 0 && checks.every(({ passed }) => passed), checks };
}

/** For people. Texts of others are shown, never obeyed by a terminal. */
export function writeSheet({ passed, checks }: Sheet): string {
  const lines = PARTS.flatMap((part) => {
    const own = checks.filter((check) => check.part === part);
    if (own.length === 0) return [];
    const held = own.filter((check) => check.passed).length;
    return [`${part.charAt(0).toUpperCase()}${part.slice(1)}: ${held} of ${own.length}`, ...own.flatMap(writeCheck), ""];
  });
  return `${[...lines, passed ? "Passed." : "Not passed."].join("\n")}\n`;
}

function writeCheck({ passed, title, reason }: Check): string[] {
  return passed ? [`  ✓ ${title}`] : [`  ✗ ${title}`, `      ${harmless(reason)}`];
}

function harmless(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (found) =>
    JSON.stringify(found).slice(1, -1),
  );
}
