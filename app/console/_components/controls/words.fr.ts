import { translated } from "../../_words/translation.ts";
import {
  CHART,
  CODE_BLOCK,
  COUNTDOWN,
  FROM_TO,
  GLANCE,
  ON_DEMAND,
  PASSKEY_BUTTON,
  PROGRESS,
  TIMELINE,
  TOAST,
  VALUES,
  VIEW_WORDS,
} from "./words.ts";

/** French. */
export const CONTROLS_WORDS_FR = translated(
  { FROM_TO, PROGRESS, TOAST, ON_DEMAND, TIMELINE, CODE_BLOCK, PASSKEY_BUTTON, COUNTDOWN, VIEW_WORDS, VALUES, CHART, GLANCE },
  {
    FROM_TO: {
      to: "vers",
    },
    TOAST: {
      dismiss: "Fermer",
    },
    ON_DEMAND: {
      notLoaded: "Impossible de charger cette partie.",
      cause: "La connexion a été perdue, ou la console a été mise à jour.",
      retry: "Réessayer",
      reload: "Recharger la page",
    },
    TIMELINE: {
      by: "par {who}",
      notYet: "Pas encore",
    },
    CODE_BLOCK: {
      copy: (label) => `Copier : ${label}`,
    },
    PASSKEY_BUTTON: {
      usePasskey: "Utiliser une clé d’accès",
    },
    COUNTDOWN: {
      ended: (label) => `${label} : terminé`,
      remaining: (label, spoken) => `${label} : ${spoken === 60 ? "1 minute restante" : "5 minutes restantes"}`,
    },
    VIEW_WORDS: {
      quoted: "Coté",
      awaiting_approval: "En attente d’approbation",
      approved: "Approuvé",
      lapsed: "Cotation expirée",
      processing: "En cours",
      executed: "Exécuté",
      failed: "Échoué",
      cancelled: "Annulé",
      rejected: "Rejeté",
    },
    VALUES: {
      copy: (what) => `Copier : ${what}`,
      hidden: "Les montants sont masqués",
      hiddenAmount: "Montant masqué",
    },
    PROGRESS: { reached: (done, of, what) => `${done} sur ${of} ${what}` },
    CHART: { asTable: "Voir en tableau", table: (title) => `${title}, en tableau` },
    GLANCE: {
      exact: (amount, currency) => `${amount} ${currency}, montant exact`,
      short: (amount, currency, exact) => `${amount} ${currency}, exactement ${exact}`,
    },
  },
);
