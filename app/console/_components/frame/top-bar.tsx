import { CircleHelp, CircleUser, Eye, EyeOff, LogOut } from "lucide-react";
import Link from "next/link";
import { Button, IconButton } from "#app/console/_components/controls/button.tsx";
import { Menu, MenuChoices, MenuHeading, MenuItem, MenuSeparator } from "#app/console/_components/controls/menu.tsx";
import type { UserRole } from "#domain/access.ts";
import { signOut } from "../../_format/sign-in.ts";
import { useLiveState } from "../../_trpc/client.tsx";
import { Bell } from "./bell.tsx";
import { PaletteOpener } from "./palette-opener.tsx";
import { usePreferences } from "./preferences.tsx";
import { useShortcuts } from "./shortcuts.tsx";

export type Me = { name: string; email: string; role: UserRole; partner: { name: string } | null; mode: "sandbox" | "live"; brand: string };

/** Where one is, whether what one sees is of now, and who one is. */
export function TopBar({ me }: { me: Me }) {
  const { showAll } = useShortcuts();
  return (
    <header className="top-bar">
      <Link href="/console" className="brand">
        {me.partner?.name ?? me.brand}
      </Link>
      {me.mode === "sandbox" && <span className="environment">Sandbox</span>}
      <LivePill />
      <PaletteOpener role={me.role} />
      <div className="top-bar-end">
        <ZoneSwitch />
        <AmountsSwitch />
        <span className="only-wide">
          <IconButton label="Keyboard shortcuts" icon={CircleHelp} onClick={showAll} aria-keyshortcuts="?" />
        </span>
        <Bell />
        <AccountMenu me={me} />
      </div>
    </header>
  );
}

const LIVE_WORDS = { connecting: "Connecting…", live: "Live", reconnecting: "Reconnecting…", ended: "Signed out" };

function LivePill() {
  const state = useLiveState();
  return (
    <span className="live-pill" data-state={state} role="status">
      <span className="live-dot" aria-hidden />
      {LIVE_WORDS[state]}
    </span>
  );
}

function ZoneSwitch() {
  const { preferences, choose } = usePreferences();
  const isUtc = preferences.zone === "utc";
  return (
    <Button
      look="quiet"
      aria-label={`Times are in ${isUtc ? "UTC" : "your zone"}: change`}
      onClick={() => choose("zone", isUtc ? "local" : "utc")}
    >
      {isUtc ? "UTC" : "Local"}
    </Button>
  );
}

function AmountsSwitch() {
  const { preferences, choose } = usePreferences();
  const shown = preferences.amounts === "shown";
  return (
    <span className="only-wide">
      <IconButton
        label={shown ? "Hide amounts" : "Show amounts"}
        icon={shown ? Eye : EyeOff}
        onClick={() => choose("amounts", shown ? "hidden" : "shown")}
      />
    </span>
  );
}

function AccountMenu({ me }: { me: Me }) {
  const { preferences, choose } = usePreferences();
  return (
    <Menu trigger={<IconButton label={`Account of ${me.name}`} icon={CircleUser} />}>
      <MenuHeading>
        <strong>{me.name}</strong>
        <span>{me.email}</span>
        <span>{me.partner ? `${me.partner.name}, ${me.role}` : `Operator, ${me.role}`}</span>
      </MenuHeading>
      <MenuSeparator />
      <MenuChoices
        label="Theme"
        value={preferences.theme}
        onChoose={(value) => choose("theme", value)}
        choices={[
          { value: "system", label: "As the system" },
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
        ]}
      />
      <MenuSeparator />
      <MenuChoices
        label="Rows"
        value={preferences.density}
        onChoose={(value) => choose("density", value)}
        choices={[
          { value: "compact", label: "Compact" },
          { value: "regular", label: "Regular" },
          { value: "roomy", label: "Roomy" },
        ]}
      />
      <MenuSeparator />
      <MenuChoices
        label="Single-key shortcuts"
        value={preferences.shortcuts}
        onChoose={(value) => choose("shortcuts", value)}
        choices={[
          { value: "on", label: "On" },
          { value: "off", label: "Off" },
        ]}
      />
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
