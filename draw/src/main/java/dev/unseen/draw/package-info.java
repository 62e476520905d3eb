/**
 * Draws simple pictures and writes them as SVG or PNG. A {@link dev.unseen.draw.Drawing} is a list
 * of shapes in the colours of the {@link dev.unseen.draw.Palette}.
 */
package dev.unseen.draw;
