"use client";

import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId } from "react";
import { TextField } from "../../_components/controls/field.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { SAFE_WORDS } from "../members/safe-badge.tsx";

/** What both forms ask: rules in the words that stand at the fields. */

const AMOUNT = /^\d{1,16}(\.\d{1,4})?$/;
export const bare = (amount: string): string => amount.replaceAll(",", "").trim();
export const amountRule = (text: string) => AMOUNT.test(bare(text)) || "An amount such as 1,234.50.";
export const accountRule = (text: string) => text.trim() !== "" || "Phone or account number.";
export const urlRule = (text: string) => text.trim() === "" || /^https?:\/\/\S+$/.test(text.trim()) || "An absolute address, https://…";

export const ACCOUNT_CHOICES = [
  { value: "mobile_money", label: "Mobile money" },
  { value: "bank_account", label: "Bank account" },
];

/** One a dialog. */
export const newReference = (): string => `console-${crypto.randomUUID()}`;

type MemberFieldProps = { value: string; error: string | undefined; field: Omit<React.ComponentProps<"input">, "id" | "className"> };

/** A member by its external id, offered while one types; says who that is. */
export function MemberField({ value, error, field }: MemberFieldProps) {
  const trpc = useTRPC();
  const list = useId();
  const search = useDeferredValue(value.trim());
  const page = { limit: 25, direction: "older", ...(search !== "" && { search }) } as const;
  const { data } = useQuery(trpc.members.list.queryOptions(page, { staleTime: 30_000 }));
  const known = data?.data.find(({ member }) => member.external_user_id === value.trim())?.member;
  return (
    <>
      <TextField
        label="Member"
        hint={
          known
            ? `${known.name ?? known.phone}, ${SAFE_WORDS[known.safe_status ?? "own"].toLowerCase()}${known.safe_status === null ? "" : " Safe"}`
            : "Its external id; type to search by name or phone."
        }
        error={error}
        list={list}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        {...field}
      />
      <datalist id={list}>
        {data?.data.map(({ member }) => (
          <option key={member.id} value={member.external_user_id}>
            {member.name ?? member.phone}
          </option>
        ))}
      </datalist>
    </>
  );
}
