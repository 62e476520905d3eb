/** What outlives the process: a file for each filter, and a journal of what came after it. */
package dev.unseen.server.durable;
