/** The options of the server, declared and checked. */
package dev.unseen.server.options;
