import { CircleHelp, CircleUser, Eye, EyeOff, LogOut } from "lucide-react";
import Link from "next/link";
import { Button, IconButton } from "#app/console/_components/controls/button.tsx";
import { Menu, MenuChoices, MenuHeading, MenuItem, MenuSeparator } from "#app/console/_components/controls/menu.tsx";
import type { UserRole } from "#domain/access.ts";
import { signOut } from "../../_format/sign-in.ts";
import { useLiveState } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { Bell } from "./bell.tsx";
import { PaletteOpener } from "./palette-opener.tsx";
import { usePreferences } from "./preferences.tsx";
import { useShortcuts } from "./shortcuts.tsx";
import { TOP_BAR } from "./words.ts";

export type Me = { name: string; email: string; role: UserRole; partner: { name: string } | null; mode: "sandbox" | "live"; brand: string };

/** Where one is, whether what one sees is of now, and who one is. */
export function TopBar({ me }: { me: Me }) {
  const says = useWords(TOP_BAR);
  const { showAll } = useShortcuts();
  return (
    <header className="top-bar">
      <Link href="/console" className="brand" translate="no">
        {me.partner?.name ?? me.brand}
      </Link>
      {me.mode === "sandbox" && <span className="environment">{says.sandbox}</span>}
      <LivePill />
      <PaletteOpener role={me.role} />
      <div className="top-bar-end">
        <ZoneSwitch />
        <AmountsSwitch />
        <span className="only-wide">
          <IconButton label={says.keyboardShortcuts} icon={CircleHelp} onClick={showAll} aria-keyshortcuts="?" />
        </span>
        <Bell />
        <AccountMenu me={me} />
      </div>
    </header>
  );
}

function LivePill() {
  const says = useWords(TOP_BAR);
  const state = useLiveState();
  return (
    <span className="live-pill" data-state={state} role="status">
      <span className="live-dot" aria-hidden />
      <span className="live-word">{says.liveWords[state]}</span>
    </span>
  );
}

function ZoneSwitch() {
  const says = useWords(TOP_BAR);
  const { preferences, choose } = usePreferences();
  const isUtc = preferences.zone === "utc";
  return (
    <Button look="quiet" aria-label={says.timesChange(isUtc)} onClick={() => choose("zone", isUtc ? "local" : "utc")}>
      {isUtc ? "UTC" : says.local}
    </Button>
  );
}

function AmountsSwitch() {
  const says = useWords(TOP_BAR);
  const { preferences, choose } = usePreferences();
  const shown = preferences.amounts === "shown";
  return (
    <span className="only-wide">
      <IconButton
        label={shown ? says.hideAmounts : says.showAmounts}
        icon={shown ? Eye : EyeOff}
        onClick={() => choose("amounts", shown ? "hidden" : "shown")}
      />
    </span>
  );
}

function AccountMenu({ me }: { me: Me }) {
  const says = useWords(TOP_BAR);
  const { preferences, choose } = usePreferences();
  return (
    <Menu trigger={<IconButton label={says.account(me.name)} icon={CircleUser} />}>
      <MenuHeading>
        <strong translate="no">{me.name}</strong>
        <span translate="no">{me.email}</span>
        <span>{me.partner ? says.ofPartner(me.partner.name, me.role) : says.operator(me.role)}</span>
      </MenuHeading>
      <MenuSeparator />
      <MenuChoices
        label={says.theme}
        value={preferences.theme}
        onChoose={(value) => choose("theme", value)}
        choices={[
          { value: "system", label: says.asSystem },
          { value: "light", label: says.light },
          { value: "dark", label: says.dark },
        ]}
      />
      <MenuSeparator />
      <MenuChoices
        label={says.rows}
        value={preferences.density}
        onChoose={(value) => choose("density", value)}
        choices={[
          { value: "compact", label: says.compact },
          { value: "regular", label: says.regular },
          { value: "roomy", label: says.roomy },
        ]}
      />
      <MenuSeparator />
      <MenuChoices
        label={says.singleKeyShortcuts}
        value={preferences.shortcuts}
        onChoose={(value) => choose("shortcuts", value)}
        choices={[
          { value: "on", label: says.on },
          { value: "off", label: says.off },
        ]}
      />
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        {says.signOut}
      </MenuItem>
    </Menu>
  );
}
