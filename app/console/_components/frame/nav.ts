import {
  Banknote,
  Building2,
  ChartNoAxesCombined,
  ChartSpline,
  CircleUser,
  Contact,
  Fingerprint,
  KeyRound,
  Landmark,
  Layers,
  ListChecks,
  LogIn,
  type LucideIcon,
  ReceiptText,
  Rocket,
  Rss,
  Scale,
  ScrollText,
  SendHorizontal,
  ShieldCheck,
  Siren,
  SlidersHorizontal,
  UserCheck,
  Users,
  Vault,
  Webhook,
} from "lucide-react";
import type { UserRole } from "#domain/access.ts";
import type { NAV_WORDS } from "./words.ts";

type Section = {
  href: string;
  icon: LucideIcon;
  audience: "operator" | "partner" | "both" | "admin" | "owner";
  /** The key after `g`. */
  key: string;
  /** The count that it shows. */
  badge?: "approvals" | "callbacks";
  /** Shown in the bar at the foot of a phone. */
  onPhone?: boolean;
  /** Always in sight at the side, for this side; at most seven. The others are behind "More". */
  main?: "operator" | "partner" | "both";
};

/** `group`: its heading in the navigation; null: above all headings. */
export type NavEntry = Omit<Section, "main"> & { label: string; group: string | null; isMain: boolean };
type Entry = Section & { label: keyof typeof NAV_WORDS.labels; group: keyof typeof NAV_WORDS.groups | null };

/** The console's sections in order. Only existing ones: add every new page here. */
const NAV: readonly Entry[] = [
  { href: "/console", label: "overview", icon: ChartNoAxesCombined, group: null, main: "both", audience: "both", key: "o", onPhone: true },
  {
    href: "/console/approvals",
    label: "approvals",
    icon: ShieldCheck,
    group: "work",
    main: "operator",
    audience: "operator",
    key: "a",
    badge: "approvals",
    onPhone: true,
  },
  { href: "/console/incidents", label: "incidents", icon: Siren, group: "work", audience: "operator", key: "z" },
  { href: "/console/queue", label: "queue", icon: ListChecks, group: "work", audience: "operator", key: "q" },
  {
    href: "/console/settlements",
    label: "settlements",
    icon: Landmark,
    group: "work",
    main: "both",
    audience: "both",
    key: "s",
    onPhone: true,
  },
  { href: "/console/batches", label: "batches", icon: Layers, group: "work", main: "partner", audience: "both", key: "w" },
  {
    href: "/console/callbacks",
    label: "callbacks",
    icon: Webhook,
    group: "work",
    main: "both",
    audience: "both",
    key: "c",
    badge: "callbacks",
    onPhone: true,
  },
  { href: "/console/fiat", label: "fiat", icon: Banknote, group: "money", main: "partner", audience: "both", key: "f" },
  { href: "/console/statements", label: "statements", icon: ReceiptText, group: "money", audience: "both", key: "x" },
  { href: "/console/rates", label: "ratesPairs", icon: ChartSpline, group: "money", main: "operator", audience: "both", key: "r" },
  { href: "/console/treasury", label: "treasury", icon: Vault, group: "money", main: "operator", audience: "operator", key: "t" },
  { href: "/console/members", label: "members", icon: Contact, group: "network", main: "partner", audience: "both", key: "m" },
  { href: "/console/partners", label: "partners", icon: Building2, group: "network", main: "operator", audience: "operator", key: "p" },
  { href: "/console/developers/keys", label: "apiKeys", icon: KeyRound, group: "developers", main: "partner", audience: "both", key: "k" },
  { href: "/console/developers/destinations", label: "eventDestinations", icon: Rss, group: "developers", audience: "partner", key: "v" },
  { href: "/console/developers/log", label: "apiLog", icon: ScrollText, group: "developers", audience: "both", key: "l" },
  {
    href: "/console/developers/callback-tester",
    label: "callbackTester",
    icon: SendHorizontal,
    group: "developers",
    audience: "owner",
    key: "b",
  },
  { href: "/console/developers/go-live", label: "goLive", icon: Rocket, group: "developers", audience: "partner", key: "j" },
  { href: "/console/audit", label: "auditLog", icon: Fingerprint, group: "governance", audience: "both", key: "h" },
  { href: "/console/people", label: "usersRoles", icon: Users, group: "governance", audience: "admin", key: "u" },
  { href: "/console/single-sign-on", label: "singleSignOn", icon: LogIn, group: "governance", audience: "admin", key: "e" },
  { href: "/console/policy", label: "approvalPolicy", icon: Scale, group: "governance", audience: "operator", key: "i" },
  { href: "/console/proposals", label: "proposals", icon: UserCheck, group: "governance", audience: "operator", key: "d" },
  { href: "/console/settings", label: "settings", icon: SlidersHorizontal, group: "governance", audience: "operator", key: "," },
  { href: "/console/team", label: "team", icon: Users, group: "governance", audience: "owner", key: "u" },
  { href: "/console/single-sign-on", label: "singleSignOn", icon: LogIn, group: "governance", audience: "owner", key: "e" },
  { href: "/console/account", label: "account", icon: CircleUser, group: "you", audience: "both", key: "y" },
];

export function navFor(role: UserRole, t: typeof NAV_WORDS): NavEntry[] {
  const own = role === "owner" || role === "staff" ? "partner" : "operator";
  return NAV.filter(({ audience }) => audience === "both" || audience === own || audience === role).map(
    ({ label, group, main, ...entry }) => ({
      ...entry,
      isMain: main === "both" || main === own,
      label: t.labels[label],
      group: group && t.groups[group],
    }),
  );
}
