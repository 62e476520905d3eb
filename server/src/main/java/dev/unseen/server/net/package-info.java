/** Connections, HTTP pages and TLS. */
package dev.unseen.server.net;
