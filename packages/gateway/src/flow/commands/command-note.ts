// The record of a command and its answer in a transcript, between those who write it and those who show it.

export const COMMAND_NOTE = "chela.command";
