import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SETTLEMENT_VIEWS, type SettlementView } from "#domain/settlement-view.ts";
import { ClockProvider } from "./clock.tsx";
import { CallbackBadge, SettlementBadge } from "./values.tsx";
import { VIEW_WORDS } from "./words.ts";

const NOW = "2026-11-21T10:00:00.000Z";
const LATER = "2026-11-21T10:05:00.000Z";
type Shown = Parameters<typeof SettlementBadge>[0]["settlement"];
const quoted: Shown = { status: "quoted", approval_state: null, expires_at: LATER };

const SHOWN: Record<SettlementView, Shown> = {
  quoted,
  awaiting_approval: { ...quoted, approval_state: "pending" },
  approved: { ...quoted, approval_state: "approved" },
  lapsed: { ...quoted, expires_at: NOW },
  processing: { ...quoted, status: "processing" },
  executed: { ...quoted, status: "executed" },
  failed: { ...quoted, status: "failed" },
  cancelled: { ...quoted, status: "cancelled" },
  rejected: { ...quoted, status: "cancelled", approval_state: "rejected" },
};

/** `light-dark(#ffffff, #0e0e10)` by the token's name. */
function readTokens(css: string): Map<string, Theme> {
  const found = css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g);
  return new Map([...found].map(([, name = "", light = "", dark = ""]) => [name, { light, dark }]));
}
type Theme = { light: string; dark: string };

const design = ["../../../theme.css", "../../_design/base.css"]
  .map((file) => readFileSync(new URL(file, import.meta.url), "utf8"))
  .join("\n");
const tokens = readTokens(design);
/** Several tones may share one rule. */
const rules = design.matchAll(
  /((?:\[data-tone="\w+"\],\n)*\[data-tone="\w+"\]) \{\s+--tone: var\(--([\w-]+)\);\s+--tone-surface: (?:var\(--([\w-]+)\)|transparent);/g,
);
const tones = new Map(
  [...rules].flatMap(([, selectors = "", text = "", surface]) =>
    [...selectors.matchAll(/"(\w+)"/g)].map(([, tone = ""]) => [tone, { text, surface }] as const),
  ),
);
/** The backgrounds on which a transparent badge may lie. */
const BEHIND = ["canvas", "surface", "raised", "hover", "accent-surface"];

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG 2 counts it, between 1 and 21. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((left, right) => right - left);
  return (lighter + 0.05) / (darker + 0.05);
}

function colourOf(name: string, theme: keyof Theme): string {
  const token = tokens.get(name);
  if (token === undefined) throw new Error(`there is no token --${name}`);
  return token[theme];
}

const badgeOf = (view: SettlementView) =>
  renderToStaticMarkup(
    <ClockProvider now={NOW}>
      <SettlementBadge settlement={SHOWN[view]} />
    </ClockProvider>,
  );
const partsOf = (markup: string) => ({
  tone: /data-tone="(\w+)"/.exec(markup)?.[1],
  icon: /<svg.*<\/svg>/.exec(markup)?.[0],
  word: markup.replaceAll(/<[^>]*>/g, ""),
});

describe("a status", () => {
  it("has a sign and a word of its own, each of the nine, never a colour alone", () => {
    const parts = SETTLEMENT_VIEWS.map((view) => partsOf(badgeOf(view)));
    expect(parts.map(({ word }) => word)).toEqual(SETTLEMENT_VIEWS.map((view) => VIEW_WORDS[view]));
    expect(new Set(parts.map(({ word }) => word)).size).toBe(SETTLEMENT_VIEWS.length);
    expect(parts.every(({ icon }) => icon?.includes('aria-hidden="true"'))).toBe(true);
    expect(new Set(parts.map(({ icon }) => icon)).size).toBe(SETTLEMENT_VIEWS.length);
    for (const { tone } of parts) expect(tones.has(tone ?? "")).toBe(true);
  });

  it("that needs nobody has no colour; the others have one", () => {
    const coloured = SETTLEMENT_VIEWS.filter((view) => tones.get(partsOf(badgeOf(view)).tone ?? "")?.surface !== undefined);
    expect(coloured).toEqual(["awaiting_approval", "approved", "failed"]);
  });

  it("of a callback is shown the same way", () => {
    const words = [
      { pending: 0, delivered: 1, undelivered: 0 },
      { pending: 1, delivered: 1, undelivered: 0 },
      { pending: 1, delivered: 1, undelivered: 1 },
    ].map((callbacks) => partsOf(renderToStaticMarkup(<CallbackBadge callbacks={callbacks} />)));
    expect(words.map(({ word }) => word)).toEqual(["Delivered", "Retrying", "Undelivered"]);
    expect(words.every(({ icon, tone }) => icon !== undefined && tones.has(tone ?? ""))).toBe(true);
  });
});

describe("a badge", () => {
  it("is read at a contrast of 4.5 or more, whatever its tone, in both themes", () => {
    expect(tones.size).toBe(11);
    for (const theme of ["light", "dark"] as const) {
      for (const [tone, { text, surface }] of tones) {
        for (const behind of surface === undefined ? BEHIND : [surface]) {
          const found = contrast(colourOf(text, theme), colourOf(behind, theme));
          expect(found, `${tone} on ${behind}, ${theme}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  it("is measured by the ratio that WCAG gives", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });
});
