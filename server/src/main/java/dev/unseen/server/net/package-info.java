/** Connections: bytes in, bytes out, and who may stay. */
package dev.unseen.server.net;
