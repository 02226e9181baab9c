// Says where the files of the embedding model are.
export declare const files: {
  readonly model: string;
  readonly vocabulary: string;
  readonly wordTable: string;
  readonly runtime: string;
};

/** Files of rules for further languages. */
export declare const rules: readonly string[];
