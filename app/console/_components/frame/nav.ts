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
  type LucideIcon,
  ScrollText,
  SendHorizontal,
  ShieldCheck,
  SlidersHorizontal,
  UserCheck,
  Users,
  Vault,
  Webhook,
} from "lucide-react";
import type { UserRole } from "#domain/access.ts";

export type NavEntry = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Under which heading it stands in the rail; null: above all headings. */
  group: string | null;
  audience: "operator" | "partner" | "both" | "admin" | "owner";
  /** The key after `g`. */
  key: string;
  /** Which waiting number it shows. */
  badge?: "approvals" | "callbacks";
  /** Stands in the bar at the foot of a phone. */
  onPhone?: boolean;
};

/** The console's sections, in their order. Only what exists: whoever adds a page adds it here. */
const NAV: readonly NavEntry[] = [
  { href: "/console", label: "Overview", icon: ChartNoAxesCombined, group: null, audience: "both", key: "o", onPhone: true },
  {
    href: "/console/approvals",
    label: "Approvals",
    icon: ShieldCheck,
    group: "Work",
    audience: "operator",
    key: "a",
    badge: "approvals",
    onPhone: true,
  },
  { href: "/console/settlements", label: "Settlements", icon: Landmark, group: "Work", audience: "both", key: "s", onPhone: true },
  {
    href: "/console/callbacks",
    label: "Callbacks",
    icon: Webhook,
    group: "Work",
    audience: "both",
    key: "c",
    badge: "callbacks",
    onPhone: true,
  },
  { href: "/console/fiat", label: "Fiat", icon: Banknote, group: "Money", audience: "both", key: "f" },
  { href: "/console/rates", label: "Rates & pairs", icon: ChartSpline, group: "Money", audience: "both", key: "r" },
  { href: "/console/treasury", label: "Treasury", icon: Vault, group: "Money", audience: "operator", key: "t" },
  { href: "/console/members", label: "Members", icon: Contact, group: "Network", audience: "both", key: "m" },
  { href: "/console/partners", label: "Partners", icon: Building2, group: "Network", audience: "operator", key: "p" },
  { href: "/console/developers/keys", label: "API keys", icon: KeyRound, group: "Developers", audience: "both", key: "k" },
  { href: "/console/developers/log", label: "API log", icon: ScrollText, group: "Developers", audience: "both", key: "l" },
  {
    href: "/console/developers/callback-tester",
    label: "Callback tester",
    icon: SendHorizontal,
    group: "Developers",
    audience: "owner",
    key: "b",
  },
  { href: "/console/audit", label: "Audit log", icon: Fingerprint, group: "Governance", audience: "both", key: "h" },
  { href: "/console/people", label: "Users & roles", icon: Users, group: "Governance", audience: "admin", key: "u" },
  { href: "/console/proposals", label: "Proposals", icon: UserCheck, group: "Governance", audience: "operator", key: "d" },
  { href: "/console/settings", label: "Settings", icon: SlidersHorizontal, group: "Governance", audience: "operator", key: "," },
  { href: "/console/team", label: "Team", icon: Users, group: "Governance", audience: "owner", key: "u" },
  { href: "/console/account", label: "Account", icon: CircleUser, group: "You", audience: "both", key: "y" },
];

export function navFor(role: UserRole): NavEntry[] {
  const own = role === "owner" || role === "staff" ? "partner" : "operator";
  return NAV.filter(({ audience }) => audience === "both" || audience === own || audience === role);
}
