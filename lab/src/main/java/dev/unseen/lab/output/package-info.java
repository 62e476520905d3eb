/** Files that are written whole, and pages that open from disk. */
package dev.unseen.lab.output;
