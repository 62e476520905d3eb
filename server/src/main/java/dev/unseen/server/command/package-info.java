/** The commands, one class per family. Only this package knows error codes and remedies. */
package dev.unseen.server.command;
