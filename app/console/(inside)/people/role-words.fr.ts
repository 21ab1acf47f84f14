import { translated } from "../../_words/translation.ts";
import { ROLES } from "./role-words.ts";

/** French. */
export const ROLE_WORDS_FR = translated(
  { ROLES },
  {
    ROLES: {
      admin: "Administrateur",
      approver: "Approbateur",
      viewer: "Lecteur",
      owner: "Propriétaire",
      staff: "Employé",
    },
  },
);
