/** Streams, ground truth, trials, and the paper's tables and figures. */
package dev.unseen.lab;
