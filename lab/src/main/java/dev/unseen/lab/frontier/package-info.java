/** FNR against FPR at equal memory: every structure at every setting, on one stream after other. */
package dev.unseen.lab.frontier;
