/**
 * The {@code unseen} command: {@link dev.unseen.cli.Main} starts it, {@code Commands} lists all
 * commands. This package only composes; each command has its own package, and {@link
 * dev.unseen.commands} contains what commands share.
 */
package dev.unseen.cli;
