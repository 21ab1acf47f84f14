import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireOperator } from "../../../_trpc/page.ts";
import { NewPartner } from "./new-partner.tsx";

export const metadata: Metadata = { title: "New partner" };

export default async function NewPartnerPage() {
  const { role } = await requireOperator();
  if (role !== "admin") notFound();
  return <NewPartner />;
}
