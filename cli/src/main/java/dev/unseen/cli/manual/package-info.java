/**
 * {@code unseen man} and {@code unseen completion}: text that is made from the declared options.
 */
package dev.unseen.cli.manual;
