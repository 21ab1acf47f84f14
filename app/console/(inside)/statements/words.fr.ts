import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { OWN_FILE, PAGE, STATEMENTS } from "./words.ts";

/** French. */
export const STATEMENTS_WORDS_FR = translated(
  { PAGE, STATEMENTS, OWN_FILE },
  {
    PAGE: { title: "Relevés" },
    STATEMENTS: {
      month: "Mois",
      monthHint: "En UTC, selon le jour où un paiement s’est terminé",
      choosePartner: "Choisissez un partenaire pour voir son mois.",
      balances: "Solde",
      balancesCaption: "Le solde au début et à la fin du mois",
      opening: "Au début",
      closing: "À la fin",
      balanceExplained: "Au-dessus de zéro, le partenaire doit à l’opérateur ; au-dessous, on lui doit.",
      noBalance: "Pas encore de compte",
      days: "Par jour et par paire",
      daysCaption: "Règlements terminés ce mois, par jour et par paire",
      day: "Jour",
      none: "Aucun règlement ne s’est terminé ce mois",
      ties: "Identique au grand livre : {amount} réglés.",
      differs: "Les jours font {settled}, et le grand livre dit {posted}. Lancez l’audit.",
    },
    OWN_FILE: {
      title: "Comparer votre propre fichier",
      explained:
        "Un fichier CSV avec les colonnes {columns}. La référence est la vôtre, ou notre identifiant de règlement. Le montant est le montant source. Le fichier est comparé et n’est pas conservé.",
      choose: "Votre fichier",
      rows: "lignes, du mois et de votre fichier",
      compared: (rows) => `${rows.toLocaleString("fr")} ${plural(rows, "ligne comparée", "lignes comparées")}.`,
      allSame: (executed) =>
        `Toutes les lignes concordent. ${executed.toLocaleString("fr")} ${plural(executed, "règlement payé", "règlements payés")} ce mois.`,
      differ: (rows) => `${rows.toLocaleString("fr")} ${plural(rows, "ligne diffère", "lignes diffèrent")}.`,
      caption: "Lignes qui diffèrent",
      what: "Ce qui diffère",
      yours: "Dans votre fichier",
      ours: "Ici",
      wrongAmount: (row) => `Le montant de la ligne ${row} n’est pas un décimal simple, tel que 1234.50.`,
      wrongCurrency: (row) => `La devise de la ligne ${row} n’est pas un code tel que KES.`,
      wrongReference: (row) => `La ligne ${row} n’a pas de référence.`,
      kinds: {
        unknown: "Inconnu ici",
        not_executed: "Non payé",
        other_month: "Payé un autre mois",
        other_currency: "Autre devise",
        other_amount: "Autre montant",
        twice: "Deux fois dans votre fichier",
        missing: "Absent de votre fichier",
      },
    },
  },
);
