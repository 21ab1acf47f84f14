import { translated } from "../../_words/translation.ts";
import {
  AUDIT_ENTRIES,
  AUDIT_OF,
  FILTER_DRAWER,
  FILTER_FIELD,
  FILTERS,
  LIST_STATES,
  PAGINATION,
  SEARCH_FIELD,
  TABLE,
  USE_ROW_KEYS,
  USE_SELECTION,
  WALKED_LIST,
} from "./words.ts";

/** `de règlement`, `d’entrée`. */
const of = (noun: string) => (/^[aeiouyhéèêâîô]/i.test(noun) ? `d’${noun}` : `de ${noun}`);

/** French. */
export const LISTS_WORDS_FR = translated(
  {
    PAGINATION,
    SEARCH_FIELD,
    USE_SELECTION,
    FILTER_DRAWER,
    AUDIT_OF,
    WALKED_LIST,
    AUDIT_ENTRIES,
    USE_ROW_KEYS,
    FILTER_FIELD,
    TABLE,
    LIST_STATES,
    FILTERS,
  },
  {
    PAGINATION: {
      label: "Pages de la liste",
      newer: "Plus récent",
    },
    SEARCH_FIELD: {
      searchBy: (many, by) => `Rechercher des ${many} par ${by}`,
      clearSearch: "Effacer la recherche",
    },
    USE_SELECTION: {
      selectAll: "Sélectionner toutes les lignes de cette page",
      select: (row) => `Sélectionner ${row}`,
    },
    FILTER_DRAWER: {
      filter: "Filtrer",
      filterCount: (count) => `Filtrer (${count})`,
      filterMany: (many) => `Filtrer les ${many}`,
      clearAll: "Tout effacer",
      show: (many) => `Afficher les ${many}`,
      filters: "Filtres",
      removeFilter: (text) => `Retirer le filtre ${text}`,
      clear: "Effacer",
    },
    AUDIT_OF: {
      none: "Rien n’a encore été enregistré",
      caption: (what) => `Journal d’audit : ${what}`,
      pagination: "Pages du journal",
      newest: "Le plus récent",
    },
    WALKED_LIST: {
      noMatch: (one, held) => `Pas ${of(one)} pour : ${held}.`,
      newRows: (count, what) => `${count} ${what} de plus`,
      caption: (name) => `${name}, par date décroissante`,
    },
    AUDIT_ENTRIES: {
      number: "N°",
      detailsOf: (id) => `Détails de ${id}`,
      details: "Détails",
      recorded: "Ce qui a été enregistré",
      objectId: "identifiant de l’objet",
      entry: "Entrée",
      seal: "Sceau",
      awaitingSeal: "En attente de son sceau",
      changes: "Modifications",
      field: "Champ",
    },
    USE_ROW_KEYS: {
      selectRow: "Sélectionner la ligne en surbrillance",
    },
    FILTER_FIELD: {
      amountWanted: "Saisissez un montant comme 1,000.00",
      any: "Indifférent",
    },
    TABLE: {
      partner: "Partenaire",
      actions: "Actions",
    },
    LIST_STATES: {
      loading: "Chargement",
      noMatch: "Aucun résultat",
      clearFilters: "Effacer les filtres",
      noAnswer: "Le service n’a pas répondu",
      noAnswerMore: "La connexion a été perdue ou le service redémarre.",
      refreshing: "Réponse précédente ; lecture en cours…",
      noAnswerReason: "le service n’a pas répondu",
      showingOld: "Données de {time} : {why}.",
    },
    FILTERS: {
      partner: "Partenaire",
      onePartner: "un partenaire",
      contains: (text) => `contient ${text}`,
      since: (day) => `depuis le ${day}`,
      until: (day) => `jusqu’au ${day}`,
    },
  },
);
