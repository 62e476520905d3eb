/**
 * What the server holds: filters by name, and the keys of SET NX. Nothing here knows a protocol.
 */
package dev.unseen.server.store;
