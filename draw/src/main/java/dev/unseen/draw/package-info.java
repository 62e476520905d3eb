/** Simple drawings, written as SVG or PNG. */
package dev.unseen.draw;
