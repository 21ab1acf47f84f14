import { ChevronDown, Ellipsis } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Menu, MenuItem } from "#app/console/_components/controls/menu.tsx";
import type { UserRole } from "#domain/access.ts";
import { useTranslations } from "../../_words/words.ts";
import { Link } from "../controls/link.tsx";
import { type NavEntry, navFor } from "./nav.ts";
import { useShortcut } from "./shortcuts.tsx";
import { NAV_WORDS, RAIL } from "./words.ts";

type Badges = { approvals: number; callbacks: number };

/** The navigation: at the side, or on a phone at the foot. At the side seven entries are in sight, and the others behind a button. */
export function Rail({ role, badges }: { role: UserRole; badges: Badges }) {
  const t = useTranslations(RAIL);
  const path = usePathname();
  const entries = navFor(role, useTranslations(NAV_WORDS));
  const rest = entries.filter(({ isMain }) => !isMain);
  // Those begin above the button: their rest needs no heading.
  const mainGroups = new Set(entries.filter(({ isMain }) => isMain).map(({ group }) => group));
  const holds = rest.some((entry) => isCurrent(entry, path));
  const [isOpen, setOpen] = useState(holds);
  // Who comes to one of them by another way sees where they are.
  useEffect(() => {
    if (holds) setOpen(true);
  }, [holds]);
  const shown = (some: readonly NavEntry[]) =>
    some.map((entry) => <RailEntry key={entry.href} entry={entry} current={isCurrent(entry, path)} badges={badges} />);
  return (
    <nav className="rail" aria-label={t.sections}>
      <ul className="rail-group">{shown(entries.filter(({ isMain }) => isMain))}</ul>
      <button type="button" className="rail-link rail-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronDown aria-hidden size={18} />
        <span className="rail-label">{isOpen ? t.fewer : t.more}</span>
      </button>
      {/* Hidden and not away: its shortcuts work all the same. */}
      <div className="rail-rest" hidden={!isOpen}>
        {[...new Set(rest.map(({ group }) => group))].map((group) => (
          <div key={group ?? ""} className="rail-group">
            {group && !mainGroups.has(group) && <p className="rail-heading">{group}</p>}
            <ul>{shown(rest.filter((entry) => entry.group === group))}</ul>
          </div>
        ))}
      </div>
      <More entries={entries.filter(({ onPhone }) => !onPhone)} path={path} />
    </nav>
  );
}

/** On a phone, the entries that do not fit into the bar. */
function More({ entries, path }: { entries: readonly NavEntry[]; path: string }) {
  const t = useTranslations(RAIL);
  const router = useRouter();
  const holds = entries.some((entry) => isCurrent(entry, path));
  return (
    <div className="rail-more">
      <Menu
        trigger={
          <button type="button" className="rail-link" data-current={holds || undefined}>
            <Ellipsis aria-hidden size={18} />
            <span className="rail-label">{t.more}</span>
          </button>
        }
      >
        {entries.map((entry) => (
          <MenuItem key={entry.href} icon={entry.icon} onSelect={() => router.push(entry.href)}>
            {entry.label}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}

function RailEntry({ entry, current, badges }: { entry: NavEntry; current: boolean; badges: Badges }) {
  const t = useTranslations(RAIL);
  const router = useRouter();
  useShortcut(`g ${entry.key}`, t.goTo(entry.label), () => router.push(entry.href));
  const Icon = entry.icon;
  const waiting = entry.badge ? badges[entry.badge] : 0;
  return (
    <li data-phone={entry.onPhone || undefined}>
      <Link href={entry.href} className="rail-link" aria-current={current ? "page" : undefined} aria-keyshortcuts={`g ${entry.key}`}>
        <Icon aria-hidden size={18} />
        <span className="rail-label">{entry.label}</span>
        {waiting > 0 && (
          <span className="rail-badge" data-tone={entry.badge === "callbacks" ? "undelivered" : "pending"}>
            {waiting > 99 ? "99+" : waiting}
            <span className="sr-only"> {t.waiting}</span>
          </span>
        )}
      </Link>
    </li>
  );
}

function isCurrent({ href }: NavEntry, path: string): boolean {
  return href === "/console" ? path === href : path === href || path.startsWith(`${href}/`);
}
