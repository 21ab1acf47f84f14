import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Menu, MenuItem } from "../../_components/controls/menu.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { Person } from "./answers.ts";
import type { Mutation } from "./person-dialog.tsx";
import { ROLES } from "./role-words.ts";
import { PEOPLE_TABLE } from "./words.ts";

const DevicesDialog = lazyComponent(() => import("./devices-dialog.tsx").then(({ DevicesDialog: Loaded }) => Loaded));
const PersonDialog = lazyComponent(() => import("./person-dialog.tsx").then(({ PersonDialog: Loaded }) => Loaded));

type PeopleTableProps = { people: readonly Person[]; self: string; onChange: () => void; showPartner: boolean };

/** The users. Nobody can change themselves: the user's own row has no actions. */
export function PeopleTable({ people, self, onChange, showPartner }: PeopleTableProps) {
  const t = useTranslations(PEOPLE_TABLE);
  const roles = useTranslations(ROLES);
  const [chosen, setChosen] = useState<{ person: Person; mutation: Mutation | "devices" } | null>(null);
  const actions = (person: Person) =>
    person.id === self ? null : <Actions person={person} onChoose={(mutation) => setChosen({ person, mutation })} />;
  const columns: Column<Person>[] = [
    { id: "name", header: t.name, pinned: true, cell: (person) => <Who person={person} self={self} />, card: 1.1 },
    { id: "role", header: t.role, cell: ({ role }) => roles[role], card: 2.1 },
    ...(showPartner
      ? [{ id: "partner", header: t.partner, cell: ({ partner }: Person) => (partner ? <Data>{partner.name}</Data> : t.operator) }]
      : []),
    { id: "two-factors", header: t.twoFactors, cell: (person) => <TwoFactorState {...person} />, card: 3.1 },
    { id: "active", header: t.lastActive, cell: (person) => <LastActive {...person} />, card: 3.2, aside: true },
    { id: "state", header: t.state, cell: (person) => <State {...person} />, card: 2.2 },
    { id: "actions", header: "", align: "end", cell: actions, card: 1.2 },
  ];
  return (
    <>
      <Table caption={t.people} columns={columns} rows={people} keyOf={({ id }) => id} />
      {chosen?.mutation === "devices" && <DevicesDialog person={chosen.person} onClose={() => setChosen(null)} onChange={onChange} />}
      {chosen && chosen.mutation !== "devices" && (
        <PersonDialog person={chosen.person} mutation={chosen.mutation} onClose={() => setChosen(null)} onChange={onChange} />
      )}
    </>
  );
}

function Who({ person, self }: { person: Person; self: string }) {
  const t = useTranslations(PEOPLE_TABLE);
  return (
    <span className="who">
      <strong>
        <Data>{person.name}</Data>
        {person.id === self && <span className="muted"> {t.you}</span>}
      </strong>
      <span className="muted" translate="no">
        {person.email}
      </span>
    </span>
  );
}

function TwoFactorState({ two_factors, device_confirmed }: Pick<Person, "two_factors" | "device_confirmed">) {
  const t = useTranslations(PEOPLE_TABLE);
  if (!two_factors) return <span className="muted">{t.passwordOnly}</span>;
  return device_confirmed === false ? (
    <span className="badge" data-tone="pending">
      {t.unconfirmed}
    </span>
  ) : (
    t.twoFactors
  );
}

/** Real time, not the sandbox's, so this shows instants and never "ago". */
function LastActive({ last_active_at }: Pick<Person, "last_active_at">) {
  const t = useTranslations(PEOPLE_TABLE);
  return last_active_at === null ? <span className="muted">{t.neverSigned}</span> : <Time at={last_active_at} form="absolute" />;
}

function State({ disabled_at }: Pick<Person, "disabled_at">) {
  const t = useTranslations(PEOPLE_TABLE);
  return (
    <span className="badge" data-tone={disabled_at === null ? "executed" : "cancelled"}>
      {disabled_at === null ? t.active : t.deactivated}
    </span>
  );
}

function Actions({ person, onChoose }: { person: Person; onChoose: (mutation: Mutation | "devices") => void }) {
  const t = useTranslations(PEOPLE_TABLE);
  return (
    <Menu trigger={<IconButton label={t.actionsOn(person.name)} icon={MoreHorizontal} />}>
      {person.device_confirmed === false && <MenuItem onSelect={() => onChoose("devices")}>{t.confirmDevice}</MenuItem>}
      <MenuItem onSelect={() => onChoose("role")}>{t.changeRole}</MenuItem>
      {person.two_factors && <MenuItem onSelect={() => onChoose("reset")}>{t.resetTwoFactors}</MenuItem>}
      {person.disabled_at === null && <MenuItem onSelect={() => onChoose("sessions")}>{t.endSessions}</MenuItem>}
      <MenuItem onSelect={() => onChoose(person.disabled_at === null ? "disable" : "enable")}>
        {person.disabled_at === null ? t.deactivate : t.reactivate}
      </MenuItem>
    </Menu>
  );
}
