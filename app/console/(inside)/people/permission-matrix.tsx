import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { Permission } from "#domain/access.ts";
import { Scroll } from "../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { ROLE_WORDS, type Role } from "./roles.ts";

/** In words; a deed without one does not compile. */
const DEEDS: Record<Permission["deed"], string> = {
  "operator:read": "See everything, of all partners",
  "operator:decide_settlement": "Approve and reject settlements",
  "operator:resend_callback": "Resend callbacks, of all partners",
  "operator:administer": "Manage people, partners, keys, rates and the treasury",
  "partner:read": "See and export what is their partner's",
  "partner:resend_callback": "Resend their partner's callbacks",
  "partner:manage_members": "Create and change members",
  "partner:move_fiat": "Request top-ups and withdrawals",
  "partner:manage_keys": "Create, rotate and end API keys and callback secrets",
  "partner:manage_people": "Invite and manage their partner's people",
};
const ORDER: readonly Role[] = ["admin", "approver", "viewer", "owner", "staff"];

/** Role by permission, as the service itself decides it. */
export function PermissionMatrix() {
  const trpc = useTRPC();
  const list = useQuery(trpc.people.permissions.queryOptions());
  if (list.isPending) return <Skeleton rows={5} />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} compact />;
  const known = new Set(list.data.flatMap(({ roles }) => roles));
  const roles = ORDER.filter((role) => known.has(role) || (role === "staff" && known.has("owner")));
  return (
    <Scroll label="Permissions by role">
      <table className="matrix">
        <caption className="sr-only">What each role may do</caption>
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                {ROLE_WORDS[role]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.data.map(({ deed, roles: may }) => (
            <tr key={deed}>
              <th scope="row">{DEEDS[deed]}</th>
              {roles.map((role) => (
                <td key={role}>{may.includes(role) ? <Yes /> : <No />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Yes() {
  return (
    <>
      <Check aria-hidden size={16} />
      <span className="sr-only">Yes</span>
    </>
  );
}

function No() {
  return (
    <>
      <span aria-hidden className="muted">
        –
      </span>
      <span className="sr-only">No</span>
    </>
  );
}
