import { Ban, Check, Clock, Ellipsis, Hourglass, RotateCw, Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { IconButton } from "../../../_components/controls/button.tsx";
import { Menu, MenuItem } from "../../../_components/controls/menu.tsx";
import { Badge, Time } from "../../../_components/controls/values.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { clockFace } from "../../../_format/time.ts";
import { useTranslations } from "../../../_words/words.ts";
import type { Key } from "./answers.ts";
import { useRealTime } from "./use-real-time.ts";
import { KEY_TABLE } from "./words.ts";

type KeyTableProps = {
  caption: string;
  keys: readonly Key[];
  /** Real time, as the service returned it with the keys. */
  now: string;
  mode: "live" | "test";
  /** null: no actions. */
  onAct: ((what: "rotate" | "revoke", key: Key) => void) | null;
  /** A key expired while the page was open. */
  onEnded: () => void;
};

/** When a key ends, if known; the earlier of the two. */
function endOf({ expires_at, revoked_at }: Key): number | null {
  const ends = [expires_at, revoked_at].filter((at) => at !== null).map((at) => new Date(at).getTime());
  return ends.length === 0 ? null : Math.min(...ends);
}

export function KeyTable({ caption, keys, now: heard, mode, onAct, onEnded }: KeyTableProps) {
  const t = useTranslations(KEY_TABLE);
  const now = useRealTime(heard, onAct !== null || keys.some((key) => (endOf(key) ?? 0) > new Date(heard).getTime()));
  const ended = keys.filter((key) => (endOf(key) ?? Number.POSITIVE_INFINITY) <= now).length;
  const before = useRef(ended);
  useEffect(() => {
    if (ended > before.current) onEnded();
    before.current = ended;
  }, [ended, onEnded]);
  const actions = (key: Key) => onAct && <KeyActions key_={key} onAct={onAct} isRotatable={key.revoked_at === null} />;
  const predecessorOf = (key: Key) => keys.find(({ id }) => id === key.rotated_from);
  const columns: Column<Key>[] = [
    { id: "name", header: t.name, pinned: true, cell: (key) => <KeyName apiKey={key} predecessor={predecessorOf(key)} />, card: 1.1 },
    { id: "key", header: t.key, cell: ({ last_four }) => <code translate="no">{`key_${mode}_…${last_four}`}</code>, card: 2.2 },
    { id: "state", header: t.state, cell: (key) => <KeyState key_={key} now={now} />, card: 2.1 },
    { id: "scopes", header: t.scopes, cell: ({ scopes }) => <Scopes scopes={scopes} />, card: 4.1 },
    { id: "addresses", header: t.addresses, cell: ({ allowed_ips }) => <Addresses allowed={allowed_ips} />, card: 4.2 },
    { id: "used", header: t.lastUsed, cell: (key) => <LastUse key_={key} now={now} />, card: 3 },
    { id: "created", header: t.created, cell: ({ created_at }) => <Time at={created_at} form="absolute" /> },
    ...(onAct ? [{ id: "act", header: "", align: "end" as const, cell: actions, card: 1.2 }] : []),
  ];
  return <Table caption={caption} columns={columns} rows={keys} keyOf={({ id }) => id} />;
}

function KeyActions({ key_: key, onAct, isRotatable }: { key_: Key; onAct: NonNullable<KeyTableProps["onAct"]>; isRotatable: boolean }) {
  const t = useTranslations(KEY_TABLE);
  return (
    <Menu trigger={<IconButton label={t.actions(key.name)} icon={Ellipsis} />}>
      {isRotatable && (
        <MenuItem icon={RotateCw} onSelect={() => onAct("rotate", key)}>
          {t.rotate}
        </MenuItem>
      )}
      <MenuItem icon={Trash2} onSelect={() => onAct("revoke", key)}>
        {t.revoke}
      </MenuItem>
    </Menu>
  );
}

/** A key that replaced another one says so, and which, while that one is in the list. */
function KeyName({ apiKey: { name, rotated_from, signed_management: signs }, predecessor }: { apiKey: Key; predecessor: Key | undefined }) {
  const t = useTranslations(KEY_TABLE);
  return (
    <span className="short key-name">
      <span title={name} translate="no">
        {name}
      </span>
      {rotated_from !== null && <span className="muted"> {predecessor ? t.inPlaceOf(`…${predecessor.last_four}`) : t.inPlaceOfEnded}</span>}
      {signs !== false && <span className="muted"> {signs === "all" ? t.signsAll : t.signsChanges}</span>}
    </span>
  );
}

/** Its present state; in an overlap with the remaining time. */
function KeyState({ key_: key, now }: { key_: Key; now: number }) {
  const t = useTranslations(KEY_TABLE);
  const end = endOf(key);
  if (end !== null && end <= now) {
    const revoked = key.revoked_at !== null && new Date(key.revoked_at).getTime() === end;
    return (
      <span className="key-state">
        <Badge word={revoked ? t.revoked : t.expired} icon={Ban} tone="cancelled" />
        <Time at={new Date(end).toISOString()} form="absolute" />
      </span>
    );
  }
  if (key.revoked_at !== null) {
    const left = new Date(key.revoked_at).getTime() - now;
    return (
      <span className="key-state" title={t.replacedUntil(key.revoked_at)}>
        <Badge
          word={t.replaced}
          icon={Hourglass}
          tone="pending"
          detail={t.endsIn(left < 86_400_000 ? clockFace(left) : t.format.span(left))}
        />
      </span>
    );
  }
  if (key.expires_at === null) return <Badge word={t.active} icon={Check} tone="executed" />;
  const left = new Date(key.expires_at).getTime() - now;
  return (
    <span className="key-state" title={t.expires(key.expires_at)}>
      <Badge word={t.active} icon={left < 7 * 86_400_000 ? Clock : Check} tone={left < 7 * 86_400_000 ? "pending" : "executed"} />
      <span className="muted">{t.expiresIn(t.format.span(left))}</span>
    </span>
  );
}

/** Relative to real time: the server's clock, not the sandbox's. Precise to the minute. */
function LastUse({ key_: { last_used_at: at, last_used_address: address, last_uses: uses }, now }: { key_: Key; now: number }) {
  const t = useTranslations(KEY_TABLE);
  if (at === null) return <span className="muted">{t.neverUsed}</span>;
  const ago = now - new Date(at).getTime();
  return (
    <>
      <span title={at}>
        <time dateTime={at}>{ago < 60_000 ? t.justNow : t.ago(t.format.span(ago))}</time>
        {address && <span className="muted"> {t.from(address)}</span>}
      </span>
      {uses.length > 0 && (
        <details>
          <summary>{t.operations(uses.length)}</summary>
          <ul className="key-uses">
            {uses.map(({ operation, at: used }) => (
              <li key={operation}>
                <code translate="no">{operation}</code> <Time at={used} form="absolute" />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const t = useTranslations(KEY_TABLE);
  if (scopes.length === 4) return <span>{t.all}</span>;
  return (
    <span className="scopes" translate="no">
      {scopes.join(", ")}
    </span>
  );
}

function Addresses({ allowed }: { allowed: readonly string[] }) {
  const t = useTranslations(KEY_TABLE);
  if (allowed.length === 0) return <span className="muted">{t.anyAddress}</span>;
  const [first] = allowed;
  return (
    <span title={allowed.join("\n")}>
      <code translate="no">{first}</code>
      {allowed.length > 1 && <span className="muted"> {t.andMore(allowed.length - 1)}</span>}
      {allowed.length > 1 && (
        <span className="sr-only" translate="no">
          : {allowed.slice(1).join(", ")}
        </span>
      )}
    </span>
  );
}
