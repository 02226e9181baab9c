// The words a text is found by, which are cut in the sdk: other processes of ours need them, too.
export { isUnspaced, wordsOf, type PlacedWord } from "@chela/sdk/base";
