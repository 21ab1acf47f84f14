import type { FieldPath } from "react-hook-form";
import { normalizePhone } from "#domain/member.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import type { MEMBER_RULES } from "./words.ts";

type Translations = typeof MEMBER_RULES;

/** The validation that both member forms share. */

export type Fields = { external_user_id: string; phone: string; name: string; email: string; wallet_address: string; chain: string };
const POINTERS: Record<string, FieldPath<Fields>> = {
  "/external_user_id": "external_user_id",
  "/phone": "phone",
  "/name": "name",
  "/email": "email",
  "/wallet_address": "wallet_address",
  "/chain": "chain",
};

export const phoneRule = (text: string, t: Translations) => normalizePhone(text) !== null || t.phone;
export const emailRule = (text: string, t: Translations) => text.trim() === "" || /^\S+@\S+\.\S+$/.test(text.trim()) || t.email;
export const orNull = (text: string) => (text.trim() === "" ? null : text.trim());

/** Shows the service's error at its field. */
export function pointOut(error: unknown, setError: (field: FieldPath<Fields>, fault: { message: string }) => void): void {
  for (const { pointer, message } of refusalOf(error)?.errors ?? []) {
    const field = POINTERS[pointer ?? ""];
    if (field !== undefined) setError(field, { message });
  }
}

export function isPointedOut(error: unknown): boolean {
  return (refusalOf(error)?.errors ?? []).some(({ pointer }) => POINTERS[pointer ?? ""] !== undefined);
}
