/**
 * Reproduces the tables, figures and theory of Bera et al. 2012. A {@link
 * dev.unseen.lab.paper.Reproduction} runs the published cells again, and a {@link
 * dev.unseen.lab.paper.CellResult} compares each with the published rates.
 */
package dev.unseen.lab.paper;
