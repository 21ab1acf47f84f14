import { redirect } from "next/navigation";

export default function Developers() {
  redirect("/console/developers/keys");
}
