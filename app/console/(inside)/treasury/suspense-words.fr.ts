import { translated } from "../../_words/translation.ts";
import { SUSPENSE, SUSPENSE_DIALOG } from "./suspense-words.ts";

/** French. */
export const TREASURY_SUSPENSE_WORDS_FR = translated(
  { SUSPENSE, SUSPENSE_DIALOG },
  {
    SUSPENSE: {
      title: "Compte d’attente",
      explained:
        "Les mouvements des portefeuilles de la trésorerie et des Safes des membres qu’aucun paiement n’explique, les plus anciens d’abord. Chacun reste ici jusqu’à ce qu’un dépôt soit déclaré, qu’une perte soit comptabilisée ou que deux personnes l’expliquent.",
      caption: "Mouvements inexpliqués, les plus anciens d’abord",
      none: "Tous les mouvements sont expliqués",
      noneMore: "Le service lit les mouvements sur les chaînes à intervalles de quelques secondes.",
      movement: "Mouvement",
      directions: {
        wallet: { in: "Vers un portefeuille", out: "Hors d’un portefeuille", within: "Entre portefeuilles" },
        safe: { in: "Vers un Safe", out: "Hors d’un Safe", within: "Entre Safes" },
      },
      fee: "Frais de réseau d’un portefeuille",
      unknown: "inconnu",
      inBlock: "Transaction inconnue dans le bloc",
      block: "bloc",
      from: "De",
      to: "À",
      sender: "émetteur",
      recipient: "destinataire",
      transaction: "Transaction",
      transactionNoun: "transaction",
      found: "Trouvé",
      seen: "Pas définitif sur tous les nœuds",
      declare: "Déclarer un dépôt",
      lose: "Comptabiliser en perte",
      explain: "Expliquer",
      correct: "Corriger une écriture",
      declaredTitle: "Dépôts déclarés qui ne sont pas arrivés",
      declaredCaption: "Dépôts déclarés auxquels aucun mouvement ne répond encore",
      explainedTitle: "Expliqués récemment",
      explainedCaption: "Mouvements expliqués, les plus récents d’abord",
      as: "Expliqué comme",
      resolutions: {
        payment: "Notre paiement",
        funding: "Dépôt déclaré",
        loss: "Perte",
        explained: "Par deux personnes",
        opening: "Solde d’ouverture",
      },
    },
    SUSPENSE_DIALOG: {
      declare: {
        title: "Déclarer un dépôt",
        explained:
          "Indiquez la transaction par laquelle vous alimentez un portefeuille de la trésorerie, avant ou après l’envoi. Pour une monnaie native versée par un contrat, indiquez le bloc. Le service la comptabilise comme fonds de l’opérateur dès que chaque nœud montre exactement ce jeton et ce montant. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.",
        button: "Déclarer le dépôt",
        toast: "Le dépôt est déclaré",
      },
      lose: {
        title: "Comptabiliser en perte",
        explained:
          "Toute la transaction est comptabilisée en perte : elle n’a rien payé de dû, et l’argent ne revient pas. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.",
        button: "Comptabiliser la perte",
        toast: "La perte est comptabilisée",
      },
      explain: {
        title: "Expliquer un mouvement",
        explained:
          "Le grand livre ne compte pas ce mouvement. Écrivez ce que c’était ; la raison reste dans le journal d’audit. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.",
        button: "Expliquer",
        toast: "Le mouvement est expliqué",
      },
      correct: {
        title: "Corriger une écriture",
        explained:
          "Pour un solde d’ouverture ou un dépôt inventé par un nœud. L’écriture est entièrement contrepassée, et le bon montant est comptabilisé à sa place. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.",
        button: "Corriger l’écriture",
        toast: "L’écriture est corrigée",
      },
      token: "Jeton",
      hash: "Hash de la transaction",
      hashHint: "0x et 64 chiffres",
      entry: "Entrée",
      entryHint: "L’identifiant de l’écriture : Livres, Écritures",
      right: "Montant exact",
      rightHint: "0 si le mouvement n’a jamais eu lieu",
    },
  },
);
