/** {@code unseen inspect} and {@code unseen merge}: what can be done with saved states. */
package dev.unseen.cli.state;
