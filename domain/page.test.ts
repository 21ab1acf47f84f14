import { describe, expect, it } from "vitest";
import { cutPage, type Walk } from "./page.ts";

const at = (minute: number) => ({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)), id: `id-${minute}` });
const walk = (more: Partial<Walk>): Walk => ({ limit: 2, position: null, direction: "older", ...more });
const self = (item: ReturnType<typeof at>) => item;

describe("cutPage", () => {
  it("begins at the newest, and goes on where there is more", () => {
    const page = cutPage([at(9), at(8), at(7)], walk({}), self);
    expect(page).toEqual({ items: [at(9), at(8)], older: at(8), newer: null });
  });

  it("knows that there are newer ones behind a place, and an end", () => {
    expect(cutPage([at(7)], walk({ position: at(8) }), self)).toEqual({ items: [at(7)], older: null, newer: at(7) });
  });

  it("turns what was found towards newer ones around, so that a page reads alike either way", () => {
    const page = cutPage([at(8), at(9), at(10)], walk({ position: at(7), direction: "newer" }), self);
    expect(page).toEqual({ items: [at(9), at(8)], older: at(8), newer: at(9) });
  });

  it("leads nowhere from an empty page", () => {
    expect(cutPage([], walk({ position: at(7) }), self)).toEqual({ items: [], older: null, newer: null });
  });
});
