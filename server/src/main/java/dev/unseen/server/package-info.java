/** A server that speaks Redis's protocol and answers from gates. */
package dev.unseen.server;
