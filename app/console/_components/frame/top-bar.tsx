import { CircleHelp, CircleUser, Eye, EyeOff, LogOut } from "lucide-react";
import { Button, IconButton } from "#app/console/_components/controls/button.tsx";
import { Menu, MenuChoices, MenuHeading, MenuItem, MenuSeparator } from "#app/console/_components/controls/menu.tsx";
import type { UserRole } from "#domain/access.ts";
import { signOut } from "../../_format/sign-in.ts";
import { useLiveState } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { Link } from "../controls/link.tsx";
import { WorkbenchOpener } from "../workbench/opener.tsx";
import { Bell } from "./bell.tsx";
import { PaletteOpener } from "./palette-opener.tsx";
import { usePreferences } from "./preferences.tsx";
import { useShortcuts } from "./shortcuts.tsx";
import { TOP_BAR } from "./words.ts";

export type Me = { name: string; email: string; role: UserRole; partner: { name: string } | null; mode: "sandbox" | "live"; brand: string };

/** The present location, whether the page is live, and the signed-in user. */
export function TopBar({ me }: { me: Me }) {
  const t = useTranslations(TOP_BAR);
  const { showAll } = useShortcuts();
  return (
    <header className="top-bar">
      <Link href="/console" className="brand" translate="no">
        <span className="brand-mark" aria-hidden>
          {[...me.brand][0]}
        </span>
        <span className="brand-name">{me.partner?.name ?? me.brand}</span>
      </Link>
      {me.mode === "sandbox" && <span className="environment">{t.sandbox}</span>}
      <LivePill />
      <PaletteOpener role={me.role} />
      <div className="top-bar-end">
        <ZoneSwitch />
        <AmountsSwitch />
        <span className="only-wide">
          <IconButton label={t.keyboardShortcuts} icon={CircleHelp} onClick={showAll} aria-keyshortcuts="?" />
        </span>
        {me.partner !== null && <WorkbenchOpener brand={me.brand} />}
        <Bell />
        <AccountMenu me={me} />
      </div>
    </header>
  );
}

function LivePill() {
  const t = useTranslations(TOP_BAR);
  const state = useLiveState();
  return (
    <span className="live-pill" data-state={state} role="status">
      <span className="live-dot" aria-hidden />
      <span className="live-word">{t.liveStates[state]}</span>
    </span>
  );
}

function ZoneSwitch() {
  const t = useTranslations(TOP_BAR);
  const { preferences, choose } = usePreferences();
  const isUtc = preferences.zone === "utc";
  return (
    <Button look="quiet" aria-label={t.switchTimes(isUtc)} onClick={() => choose("zone", isUtc ? "local" : "utc")}>
      {isUtc ? "UTC" : t.local}
    </Button>
  );
}

function AmountsSwitch() {
  const t = useTranslations(TOP_BAR);
  const { preferences, choose } = usePreferences();
  const shown = preferences.amounts === "shown";
  return (
    <span className="only-wide">
      <IconButton
        label={shown ? t.hideAmounts : t.showAmounts}
        icon={shown ? Eye : EyeOff}
        onClick={() => choose("amounts", shown ? "hidden" : "shown")}
      />
    </span>
  );
}

function AccountMenu({ me }: { me: Me }) {
  const t = useTranslations(TOP_BAR);
  const { preferences, choose } = usePreferences();
  return (
    <Menu trigger={<IconButton label={t.account(me.name)} icon={CircleUser} />}>
      <MenuHeading>
        <strong translate="no">{me.name}</strong>
        <span translate="no">{me.email}</span>
        <span>{me.partner ? t.ofPartner(me.partner.name, me.role) : t.operator(me.role)}</span>
      </MenuHeading>
      <MenuSeparator />
      <MenuChoices
        label={t.theme}
        value={preferences.theme}
        onChoose={(value) => choose("theme", value)}
        choices={[
          { value: "system", label: t.systemTheme },
          { value: "light", label: t.light },
          { value: "dark", label: t.dark },
        ]}
      />
      <MenuSeparator />
      <MenuChoices
        label={t.rows}
        value={preferences.density}
        onChoose={(value) => choose("density", value)}
        choices={[
          { value: "compact", label: t.compact },
          { value: "regular", label: t.regular },
          { value: "roomy", label: t.roomy },
        ]}
      />
      <MenuSeparator />
      <MenuChoices
        label={t.singleKeyShortcuts}
        value={preferences.shortcuts}
        onChoose={(value) => choose("shortcuts", value)}
        choices={[
          { value: "on", label: t.on },
          { value: "off", label: t.off },
        ]}
      />
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        {t.signOut}
      </MenuItem>
    </Menu>
  );
}
