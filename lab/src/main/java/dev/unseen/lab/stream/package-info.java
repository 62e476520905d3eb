/**
 * Computes synthetic streams record by record, without storing them. {@link
 * dev.unseen.lab.stream.NamedStream} lists the streams that have a name on the command line.
 */
package dev.unseen.lab.stream;
