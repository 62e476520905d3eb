/**
 * The lab: it measures filters against the exact truth. It has streams, trials, and the paper's
 * tables and figures.
 */
package dev.unseen.lab;
