/** Measures what RECENCY promises, with its default settings and against the exact truth. */
package dev.unseen.lab.recency;
