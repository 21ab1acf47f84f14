import { useQuery } from "@tanstack/react-query";
import { useToast } from "../../_components/controls/toast.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { browserOf } from "../../_format/browser.ts";
import { BROWSER_WORDS } from "../../_format/words.ts";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { Device, Person } from "./answers.ts";
import { DEVICES_DIALOG } from "./words.ts";

type Props = { person: Person; onClose: () => void; onChange: () => void };

/** The devices of a person who decides, and the confirmation that they are that person's. What is confirmed is what is shown here. */
export function DevicesDialog({ person, onClose, onChange }: Props) {
  const [t, browsers] = [useTranslations(DEVICES_DIALOG), useTranslations(BROWSER_WORDS)];
  const trpc = useTRPC();
  const { people } = useTRPCClient();
  const toast = useToast();
  const asked = useQuery(trpc.people.devices.queryOptions({ user_id: person.id }, { staleTime: 0 }));
  const columns: Column<Device>[] = [
    { id: "name", header: t.device, card: 1, cell: ({ name }) => (name === null ? t.app : <Data>{name}</Data>) },
    {
      id: "added",
      header: t.added,
      card: 2.1,
      cell: ({ added_at }) => (added_at === null ? t.unknown : <Time at={added_at} form="absolute" />),
    },
    {
      id: "from",
      header: t.from,
      card: 3.1,
      cell: ({ address, user_agent }) =>
        address === null ? (
          t.unknown
        ) : (
          <span className="who">
            <Data>{address}</Data>
            <span className="muted">{browserOf(user_agent, browsers)}</span>
          </span>
        ),
    },
  ];
  return (
    <ConfirmDialog
      title={t.title(person.name)}
      description={t.ask}
      width="wide"
      ready={asked.data !== undefined}
      button={t.confirm}
      mutation={() => people.confirmDevices.mutate({ user_id: person.id, seen: asked.data?.seen ?? "" }).finally(onChange)}
      onDone={() => toast(t.confirmed, person.name)}
      onClose={onClose}
    >
      <QueryBoundary of={asked} waiting={<Skeleton rows={2} />}>
        {({ devices }) => (
          <Table caption={t.devices(person.name)} columns={columns} rows={devices} keyOf={({ name, added_at }) => `${name} ${added_at}`} />
        )}
      </QueryBoundary>
      <p className="muted">{t.notTheirs}</p>
    </ConfirmDialog>
  );
}
