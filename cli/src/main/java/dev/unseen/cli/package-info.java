/**
 * The {@code unseen} command: {@link dev.unseen.cli.Main} starts it, {@code Commands} lists all
 * commands. This package only composes; each command lives in a package of its own, and what
 * commands share in {@link dev.unseen.commands}.
 */
package dev.unseen.cli;
