/**
 * Compares FNR and FPR at equal memory: every structure with every setting, on one stream after the
 * other.
 */
package dev.unseen.lab.frontier;
