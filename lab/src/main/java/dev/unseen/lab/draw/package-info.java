/** Simple drawings, written as SVG or painted as pixels. */
package dev.unseen.lab.draw;
