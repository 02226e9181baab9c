// Waiting for work that may not listen to its signal, which is in the sdk: other processes of ours need it, too.
export { orAborted } from "@chela/sdk/base";
