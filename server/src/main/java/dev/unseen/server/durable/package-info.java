/** Persistence: a file for each filter, and a journal of what changed since it was saved. */
package dev.unseen.server.durable;
