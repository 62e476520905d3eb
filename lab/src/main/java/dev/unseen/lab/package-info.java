/**
 * The lab: it measures filters against the exact truth. It has streams, trials, and the paper's
 * tables and figures.
 *
 * <p>Its results are <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/reproduction/README.md">the
 * reproduction of the paper</a> and <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/frontier/README.md">the frontier</a>.
 */
package dev.unseen.lab;
