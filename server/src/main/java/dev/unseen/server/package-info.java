/**
 * A server that speaks Redis's protocol. This package only puts the parts together. The <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/server.md">manual</a> lists its
 * commands.
 */
package dev.unseen.server;
