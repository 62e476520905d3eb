/** The commands: one class a family, one line a command in its table. */
package dev.unseen.server.command;
