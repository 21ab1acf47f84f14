import { describe, expect, it } from "vitest";
import { text } from "./address-params.ts";
import { days, type Filters, narrow, partnerFilter, searched } from "./filters.ts";
import { listParams, type ParamsOf } from "./list-params.ts";

const THINGS = listParams({
  q: text,
  partner: text,
  state: text,
  source: text,
  amount: text,
  from: text,
  to: text,
});
type Params = ParamsOf<typeof THINGS>;
const nothing = THINGS.load(new URLSearchParams());

const filters: Filters<Params> = [
  searched(),
  partnerFilter([{ id: "p", name: "Kibo" }]),
  false,
  [
    { name: "state", label: "State", choices: [{ value: "open", label: "Open" }] },
    { name: "source", label: "Source currency" },
  ],
  { name: "amount", label: "Amount", needs: { name: "source", hint: "Choose a currency first" } },
  days(["from", "to"], ["Created from (UTC)", "To (inclusive)"], {
    since: (day) => `created since ${day}`,
    until: (day) => `created until ${day}`,
  }),
];

function narrowed(held: Partial<Params>) {
  const asked: object[] = [];
  const params = { ...nothing, ...held };
  return { asked, of: narrow(THINGS, { params, filters, one: "thing", many: "things", set: (next) => asked.push(next) }) };
}
const words = (held: Partial<Params>) => narrowed(held).of.held.map(({ text }) => text);

describe("how a list is narrowed", () => {
  it("is described in the words of each filter, in the order of the filters", () => {
    expect(words({})).toEqual([]);
    expect(words({ to: "2026-01-02", q: "shop", partner: "p", state: "open", source: "KES" })).toEqual([
      "contains shop",
      "Kibo",
      "Open",
      "KES",
      "created until 2026-01-02",
    ]);
  });

  it("shows what the list does not offer exactly as the address has it", () => {
    expect(words({ state: "no_such_state", partner: "stranger" })).toEqual(["one partner", "no_such_state"]);
  });

  it("loses with a filter what means nothing without it", () => {
    const { of } = narrowed({ source: "KES", amount: "5" });
    expect(of.held.find(({ text }) => text === "KES")?.without).toEqual({ source: null, amount: null });
    expect(of.held.find(({ text }) => text === "5")?.without).toEqual({ amount: null });
  });

  it("begins at the newest with every change", () => {
    const { of, asked } = narrowed({ cursor: "x", direction: "newer" });
    of.choose({ state: "open" });
    of.clear();
    expect(asked).toEqual([{ cursor: null, direction: null, state: "open" }, THINGS.noFilter]);
  });
});
