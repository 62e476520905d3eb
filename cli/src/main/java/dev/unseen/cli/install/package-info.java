/** {@code unseen install} and {@code unseen uninstall}: puts the program where a PATH leads to. */
package dev.unseen.cli.install;
