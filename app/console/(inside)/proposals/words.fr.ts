import { translated } from "../../_words/translation.ts";
import { DECIDE_DIALOG, KINDS, PAGE, PROPOSALS } from "./words.ts";

/** French. */
export const PROPOSALS_WORDS_FR = translated(
  { PAGE, DECIDE_DIALOG, KINDS, PROPOSALS },
  {
    PAGE: { title: "Propositions" },
    DECIDE_DIALOG: {
      confirmMeans:
        "La proposition prend effet dès que vous confirmez. Vous devez avoir saisi votre code à usage unique dans les cinq dernières minutes.",
      withdrawMeans: "La proposition reste alors sans effet. La même chose peut être proposée à nouveau.",
      reasonHint: "Pour le journal d’audit",
    },
    KINDS: {
      kinds: {
        pair_terms: "Nouveaux seuils d’une paire",
        operator_key: "Nouvelle clé d’opérateur",
        partner_key: "Nouvelle clé d’un partenaire",
        operator: "Nouvelle personne qui décide",
        invitation: "Invitation d’une personne qui décide",
        role: "Rôle qui décide",
        exposure_limit: "Plafond de paiements",
        approval_policy: "Politique d’approbation",
        safe_owner_swap: "Nouveau propriétaire des Safe d’un portefeuille",
        lane_lift: "Levée d’un arrêt",
        order_resolution: "Issue d’un ordre fiat",
        payment_release: "Déblocage d’un paiement retenu",
        pool_funding: "Versement dans une réserve fiat",
        bookings: "Écritures",
        booking_reversal: "Contre-passation d’une écriture",
        transfer_cancellation: "Annulation d’un paiement",
        transfer_resolution: "Issue d’un paiement en vérification",
        wallet_activation: "Portefeuille qui signe à nouveau",
        restored_payment: "Paiement antérieur à une restauration",
        treasury_loss: "Perte de trésorerie",
        treasury_funding: "Dépôt dans la trésorerie",
        movement_explanation: "Explication d’un mouvement",
        ledger_correction: "Correction d’une écriture",
      },
      proposedByYou: (name) => `${name} (vous)`,
      proposedByKey: (name) => `${name} (une clé)`,
    },
    PROPOSALS: {
      by: (row) => `par ${row}`,
      since: "Depuis",
      noneGiven: "Aucun indiqué",
      outcome: "Issue",
      decidedBy: "Décidé par",
      decidedByName: (name) => `par ${name}`,
      withdrawSubject: (subject) => `Retirer : ${subject}`,
      confirmSubject: (subject) => `Confirmer : ${subject}`,
      proposals: "Propositions",
      waitingTitle: "En attente d’une seconde personne",
      noneWaiting: "Rien n’attend de seconde personne",
      sandboxExplained:
        "Dans le bac à sable, une personne suffit. En production, les nouveaux seuils, administrateurs, propriétaires de partenaires et clés, ainsi que les décisions sur les paiements, attendent ici un autre administrateur.",
      whatComesHere:
        "Les nouveaux seuils, administrateurs, propriétaires de partenaires et clés, ainsi que les décisions sur les paiements, attendent ici la confirmation d’un autre administrateur.",
      waitingCaption: "Propositions en attente",
      decidedCaption: "Propositions décidées",
    },
  },
);
