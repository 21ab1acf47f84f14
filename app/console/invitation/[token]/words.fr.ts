import { translated } from "../../_words/translation.ts";
import { ACCEPT_FORM, PAGE } from "./words.ts";

/** French. */
export const INVITATION_WORDS_FR = translated(
  { ACCEPT_FORM, PAGE },
  {
    ACCEPT_FORM: {
      passwordHint: "Au moins 12 caractères, et difficile à deviner",
      start: "Commencer",
    },
    PAGE: {
      title: "Invitation",
      sandbox: "Bac à sable",
      invalid: "Ce lien ne fonctionne pas",
      invalidMore: "Il a été utilisé, a été retiré ou a expiré. Demandez-en un nouveau à la personne qui vous a invité.",
      signIn: "Vous avez déjà un mot de passe ? {link}.",
      signInLink: "Connectez-vous",
      welcome: "Bienvenue",
      invites: (by, role, side) => `${by} vous invite chez ${side}, avec le rôle ${role.toLowerCase()}.`,
    },
  },
);
