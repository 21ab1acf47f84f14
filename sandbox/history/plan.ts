import type { SimulatedReceiver } from "#domain/simulated-receiver.ts";

/** What happens in the sandbox's past: the same at every first start, so that two people see the same history. Pure. */

/** How a partner's receiver answers its callbacks. */
export type Reception = Extract<SimulatedReceiver, "well" | "unauthorized" | "unavailable" | "moved"> | "gone";

/** What an admin does about an amount above the maximum, and after how many minutes. `leave`: nothing. */
type Decision = { what: "approve" | "reject" | "leave"; afterMinutes: number; reason: string };

export type PlannedSettlement = {
  /** Index into {@link PARTNERS}. */
  partner: number;
  sourceCurrency: string;
  destinationCurrency: "USDT" | "USDC";
  /** Whole major units of the source. */
  amount: number;
  merchant: string;
  /** The index of the merchant's wallet; null: the one that the test tokens refuse. */
  wallet: number | null;
  reception: Reception;
  /** What the partner does with a quote that it may confirm. */
  answer: "confirm" | "cancel" | "lapse";
  decision: Decision | null;
};

/** Settlements of a few merchants within a few minutes. */
export type Wave = {
  /** How long before the end. */
  minutesBeforeEnd: number;
  /** How far the market is from where it ends, in basis points; null: where it was. */
  marketBps: number | null;
  settlements: PlannedSettlement[];
};

export type PlannedPartner = { slug: string; name: string; share: number; merchants: readonly string[]; corridors: readonly Corridor[] };
/** `typical`: a usual amount in whole major units; the pair's maximum is `maximum`. */
type Corridor = { from: string; to: "USDT" | "USDC"; typical: number; maximum: number };

const KES = { from: "KES", typical: 85_000, maximum: 1_000_000 };
const NGN = { from: "NGN", typical: 900_000, maximum: 15_000_000 };
const PHP = { from: "PHP", typical: 42_000, maximum: 500_000 };
const USD = { from: "USD", typical: 1_400, maximum: 10_000 };
const EUR = { from: "EUR", typical: 1_100, maximum: 10_000 };

/** The first two are there from the start; the others come with the history. */
export const PARTNERS: readonly PlannedPartner[] = [
  {
    slug: "demo",
    name: "Demo Partner",
    share: 0.46,
    merchants: ["nairobi-coffee", "mombasa-marine", "kisumu-fresh", "rift-valley-tours", "lamu-crafts", "thika-textiles"],
    corridors: [
      { ...KES, to: "USDT" },
      { ...KES, to: "USDC" },
      { ...USD, to: "USDC" },
    ],
  },
  {
    slug: "second",
    name: "Second Partner",
    share: 0.16,
    merchants: ["berlin-import", "porto-ceramics", "lyon-wholesale"],
    corridors: [
      { ...EUR, to: "USDC" },
      { ...USD, to: "USDT" },
    ],
  },
  {
    slug: "harbour-remit",
    name: "Harbour Remit",
    share: 0.22,
    merchants: ["lekki-electronics", "abuja-pharma", "kano-leather", "ibadan-books"],
    corridors: [{ ...NGN, to: "USDT" }],
  },
  {
    slug: "luzon-pay",
    name: "Luzon Pay",
    share: 0.16,
    merchants: ["cebu-mango", "davao-fibre", "manila-parts"],
    corridors: [{ ...PHP, to: "USDC" }],
  },
];

const MINUTES_A_DAY = 1_440;
const WALLETS_PER_MERCHANT = 2;
const REASONS = [
  "The merchant's papers for this amount are missing.",
  "Same amount to the same wallet as an hour before: send it once.",
  "The wallet is new and nobody could confirm it.",
];

/** The waves of this many days, oldest first. The newest ends with amounts that still wait for an admin. */
export function planHistory(days: number): Wave[] {
  const random = repeatable(20_261_121);
  const waves: Wave[] = [];
  for (let day = days; day >= 1; day -= 1) {
    // Five working days, two quiet ones, and a little more each week.
    const size = day % 7 < 2 ? 1 : 3;
    for (let index = 0; index < size; index += 1) {
      const minutesBeforeEnd = Math.round(day * MINUTES_A_DAY - (index + 0.2 + 0.6 * random()) * (720 / size));
      const count = 4 + Math.floor(random() * 4) + Math.floor((days - day) / 12);
      const marketBps = index === 0 && day % 2 === 0 ? Math.round(90 * Math.sin(day / 4) + 40 * (random() - 0.5)) : null;
      waves.push({ minutesBeforeEnd, marketBps, settlements: Array.from({ length: count }, () => planSettlement(random, day)) });
    }
  }
  return [...waves, ...stillWaiting(random)];
}

function planSettlement(random: () => number, day: number): PlannedSettlement {
  const partner = pick(random, PARTNERS);
  const { corridors, merchants } = PARTNERS[partner] ?? { corridors: [], merchants: [] };
  const corridor = corridors[Math.floor(random() * corridors.length)] ?? { ...KES, to: "USDT" as const };
  const isLarge = random() < 0.055;
  const usual = corridor.typical * Math.exp((random() + random() + random() - 1.5) * 1.1);
  const amount = isLarge ? corridor.maximum * (1.05 + 2.2 * random()) : Math.min(usual, corridor.maximum);
  const fate = random();
  return {
    partner,
    sourceCurrency: corridor.from,
    destinationCurrency: corridor.to,
    amount: tidy(amount),
    merchant: merchants[Math.floor(random() * merchants.length)] ?? "merchant",
    wallet: random() < 0.025 ? null : Math.floor(random() * WALLETS_PER_MERCHANT),
    reception: receptionOf(partner, day, random()),
    answer: fate < 0.86 ? "confirm" : fate < 0.93 ? "lapse" : "cancel",
    decision: isLarge ? decide(random) : null,
  };
}

function decide(random: () => number): Decision {
  const chance = random();
  const reason = REASONS[Math.floor(random() * REASONS.length)] ?? "";
  const afterMinutes = Math.round(4 + 55 * random() ** 2);
  return { what: chance < 0.74 ? "approve" : chance < 0.92 ? "reject" : "leave", afterMinutes, reason };
}

/** The Harbour's gateway was down for a day, the Second Partner's lost its password for another, one address moved, one is gone. */
function receptionOf(partner: number, day: number, chance: number): Reception {
  if (partner === 2 && day === 11) return "unavailable";
  if (partner === 1 && (day === 5 || day === 4)) return "unauthorized";
  if (partner === 3 && day === 8) return "moved";
  return chance < 0.012 ? "gone" : "well";
}

/** By wave: of the newest, two callbacks are still tried when somebody looks. */
const STILL_TRIED: Readonly<Record<number, Reception>> = { 2: "unauthorized", 3: "unavailable" };

/** What an admin finds in the morning. */
function stillWaiting(random: () => number): Wave[] {
  return [430, 190, 75, 38, 14].map((minutesBeforeEnd, index) => ({
    minutesBeforeEnd,
    marketBps: index === 0 ? 0 : null,
    settlements: ["large", "usual"].map((size) => {
      const planned = planSettlement(random, 0);
      if (size === "usual") return { ...planned, wallet: planned.wallet ?? 0, reception: STILL_TRIED[index] ?? "well", answer: "confirm" };
      const maximum = PARTNERS[planned.partner]?.corridors.find(({ from }) => from === planned.sourceCurrency)?.maximum ?? 0;
      const amount = tidy(maximum * (1.1 + 1.6 * random()));
      return { ...planned, amount, wallet: planned.wallet ?? 0, decision: { what: "leave", afterMinutes: 0, reason: "" } };
    }),
  }));
}

/** As people write amounts: three digits that count. */
function tidy(amount: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(amount)) - 2);
  return Math.max(step, Math.round(amount / step) * step);
}

function pick(random: () => number, partners: readonly PlannedPartner[]): number {
  let left = random();
  const found = partners.findIndex(({ share }) => {
    left -= share;
    return left < 0;
  });
  return Math.max(0, found);
}

/** Numbers from 0 to below 1 that look random and are the same every time (mulberry32). */
function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
