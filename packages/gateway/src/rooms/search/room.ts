// The search room owns the words of all conversations: a database of its own, derived from the ledger and filled on demand.
export { HistorySearch, type IndexProgress, type SearchRequest } from "./history-search.ts";
