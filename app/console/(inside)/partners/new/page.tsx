import { notFound } from "next/navigation";
import { requireOperator } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { NewPartner } from "./new-partner.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function NewPartnerPage() {
  const { role } = await requireOperator();
  if (role !== "admin") notFound();
  return <NewPartner />;
}
