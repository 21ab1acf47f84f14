import { translated } from "../../_words/translation.ts";
import { CALLBACK_WORDS, EVENT_WORDS } from "./state-words.ts";

/** French. */
export const CALLBACKS_STATE_WORDS_FR = translated(
  { EVENT_WORDS, CALLBACK_WORDS },
  {
    EVENT_WORDS: {
      "settlement.approved": "Approbation",
      "settlement.executed": "Exécution",
      "settlement.failed": "Échec",
      "batch.completed": "Lot terminé",
      "withdrawal.completed": "Retrait terminé",
      "withdrawal.failed": "Retrait échoué",
      "withdrawal.cancelled": "Retrait annulé",
      "topup.completed": "Approvisionnement terminé",
      "topup.failed": "Approvisionnement échoué",
      "topup.cancelled": "Approvisionnement annulé",
    },
    CALLBACK_WORDS: {
      acceptedHelp:
        "La part des callbacks de cette période ayant obtenu un 2xx, parmi ceux qui ont reçu une réponse ou échoué au moins une fois. Un callback échoué encore à réessayer compte comme non remis.",
      states: { queued: "En file d’attente", retrying: "Réessai en cours", delivered: "Remis", undelivered: "Non remis" },
      kinds: {
        dns: "Échec DNS",
        refused: "Refusé",
        unreachable: "Injoignable",
        timeout: "Délai dépassé",
        tls: "Erreur TLS",
        reset: "Fermé trop tôt",
        protocol: "Pas du HTTP",
        blocked_address: "Bloqué",
        malformed_url: "URL mal formée",
        internal: "Erreur interne",
      },
      answeredWith: (status) => `réponse ${status}`,
      inProgress: "En cours",
      noAnswer: "sans réponse",
    },
  },
);
