/**
 * A server that speaks Redis's protocol and answers from gates. The <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/server.md">manual</a> lists its
 * commands.
 */
package dev.unseen.server;
